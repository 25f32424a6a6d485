//! `init`: a project file to start from.

use std::path::Path;

use super::args::InitArgs;
use super::exit::Outcome;
use super::ui::Ui;
use crate::config::FILE_NAME;
use crate::model::{Fault, Place};
use crate::pipeline::{run_folders, take_over};
use crate::publish::stage;
use crate::render::{ProjectFile, project_file};

/// Writes `sweepdoc.toml` into the folder, never over an existing one.
pub fn run(args: &InitArgs, ui: &Ui) -> anyhow::Result<Outcome> {
    let path = args.dir.join(FILE_NAME);
    if path.exists() {
        return Err(Fault::at(Place::file(&path), "expected no project file yet, found one")
            .hint("edit it, or move it out of the way")
            .into());
    }
    let mut project = match &args.from {
        Some(pages) => ProjectFile { out: pages_root(pages, &args.dir), ..take_over(pages)? },
        None => ProjectFile::default(),
    };
    project.product = args.product.clone().or(project.product);
    project.version = args.release.clone().or(project.version);
    if args.from.is_none() {
        for folder in run_folders(&args.dir, &[]).unwrap_or_default() {
            project.targets.entry(folder.target).or_default();
        }
    }
    stage(&path, project_file(&project).as_bytes())?.commit()?;
    ui.note(&format!("wrote {}", path.display()));
    Ok(Outcome::Done)
}

/// The folder above the version's, relative to the project file's folder where that is possible.
fn pages_root(pages: &Path, dir: &Path) -> Option<String> {
    let pages = std::path::absolute(pages).ok()?;
    let root = pages.parent()?;
    let dir = std::path::absolute(dir).ok()?;
    let shared = root.components().zip(dir.components()).take_while(|(a, b)| a == b).count();
    let up = dir.components().skip(shared).map(|_| "..".to_owned());
    let down = root.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}
