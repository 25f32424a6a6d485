//! The files of one run, sorted by what they are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::ingest::detect::{FileKind, recognise};
use crate::ingest::source::Source;
use crate::model::{Fault, Place, Result, SourceFile};

/// One recognised file.
#[derive(Debug)]
pub struct InputFile {
    /// The file.
    pub source: Source,
    /// What it is.
    pub kind: FileKind,
    /// Its path below the folder it was found in: the only form that is published.
    pub relative: String,
    /// True for an export for the whole sweep.
    pub shared: bool,
}

/// Name of the folders exports of monitoring are put into, in a run's folder or beside it.
pub(super) const EXPORTS: &str = "gcp";

impl InputFile {
    /// Opens and recognises a file.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be read.
    pub fn open(path: &Path, base: &Path) -> Result<Self> {
        let source = Source::new(path)?;
        let kind = recognise(&source)?;
        let relative = match path.strip_prefix(base) {
            Ok(below) if !below.as_os_str().is_empty() => below.to_string_lossy().replace('\\', "/"),
            _ => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        };
        Ok(InputFile { source, kind, relative, shared: false })
    }

    /// True for raw k6 output.
    pub fn is_raw(&self) -> bool {
        matches!(self.kind, FileKind::K6Csv | FileKind::K6Json)
    }

    pub(super) fn described(&self, rows: Option<u64>, sha256: bool) -> Result<SourceFile> {
        Ok(SourceFile {
            path: self.relative.clone(),
            kind: self.kind.word().to_owned(),
            bytes: self.source.bytes,
            rows,
            fingerprint: self.source.fingerprint()?,
            sha256: if sha256 { Some(self.source.sha256()?) } else { None },
        })
    }
}

/// Every file of one run, in order of name.
#[derive(Debug, Default)]
pub struct RunFiles {
    /// Files this version reads.
    pub used: Vec<InputFile>,
    /// Exports of monitoring: the run's own, then those for the whole sweep.
    pub exports: Vec<InputFile>,
    /// Files in the folders for exports that are none, with the reason.
    pub unread_exports: Vec<(String, String)>,
    /// Files it does not, with the reason.
    pub ignored: Vec<(PathBuf, String)>,
    /// Folder or file the run is named after.
    pub named_after: PathBuf,
}

impl RunFiles {
    /// Collects the files of one run from folders (not from their sub-folders) and single files; `-` is standard input.
    ///
    /// # Errors
    ///
    /// As [`RunFiles::gather`], and when nothing usable is among them.
    pub fn collect(paths: &[PathBuf]) -> Result<Self> {
        let files = RunFiles::gather(paths)?;
        match files.used.is_empty() {
            true => Err(files.nothing_usable(paths)),
            false => Ok(files),
        }
    }

    /// As [`RunFiles::collect`], but nothing usable is no error: a sweep has folders that are no run.
    ///
    /// # Errors
    ///
    /// Fails on a path that cannot be read and on two identical files of raw output.
    pub fn gather(paths: &[PathBuf]) -> Result<Self> {
        let mut files = RunFiles { named_after: paths.first().cloned().unwrap_or_default(), ..RunFiles::default() };
        for path in paths {
            if path.is_dir() {
                for file in folder_files(path)? {
                    files.add(InputFile::open(&file, path)?);
                }
                files.add_exports(&path.join(EXPORTS), "", false)?;
                let beside = std::path::absolute(path).ok().and_then(|path| Some(path.parent()?.join(EXPORTS)));
                files.add_exports(&beside.unwrap_or_default(), "../", true)?;
            } else {
                files.add(InputFile::open(path, path.parent().unwrap_or(Path::new("")))?);
            }
        }
        files.refuse_identical()?;
        Ok(files)
    }

    /// The exports for a whole sweep, which are of no run in particular.
    ///
    /// # Errors
    ///
    /// Fails when one cannot be read.
    pub(super) fn exports_of_sweep(sweep: &Path) -> Result<Self> {
        let mut files = RunFiles::default();
        files.add_exports(&sweep.join(EXPORTS), "", true)?;
        Ok(files)
    }

    /// The files of one kind.
    pub fn of(&self, wanted: impl Fn(&FileKind) -> bool) -> impl Iterator<Item = &InputFile> {
        self.used.iter().filter(move |file| wanted(&file.kind))
    }

    /// Bytes as stored that a reduction will read.
    pub fn bytes(&self) -> u64 {
        self.used.iter().map(|file| file.source.bytes).sum()
    }

    /// The exports of a folder, which need not be there; what is no export is no part of the run.
    fn add_exports(&mut self, folder: &Path, above: &str, shared: bool) -> Result<()> {
        if !folder.is_dir() {
            return Ok(());
        }
        // of a sweep's own it is told once, not for each run
        if !shared {
            self.unread_exports.extend(folders_among_exports(folder, above)?);
        }
        for path in folder_files(folder)? {
            let file = InputFile::open(&path, folder)?;
            let relative = format!("{above}{EXPORTS}/{}", file.relative);
            match &file.kind {
                FileKind::Monitoring(_) => self.exports.push(InputFile { relative, shared, ..file }),
                FileKind::Ignored(reason) => self.unread_exports.push((relative, reason.clone())),
                other => {
                    let reason = format!("expected an export of monitoring, found {}", other.word());
                    self.unread_exports.push((relative, reason));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, file: InputFile) {
        match &file.kind {
            FileKind::Monitoring(_) => self.exports.push(file),
            FileKind::Ignored(reason) => self.ignored.push((file.source.path.clone(), reason.clone())),
            _ => self.used.push(file),
        }
    }

    fn refuse_identical(&self) -> Result<()> {
        let mut seen: HashMap<String, &Path> = HashMap::new();
        let counted_once = |file: &&InputFile| file.is_raw() || matches!(file.kind, FileKind::Summary(_));
        for file in self.used.iter().filter(counted_once) {
            if let Some(first) = seen.insert(file.source.fingerprint()?, &file.source.path) {
                return Err(Fault::at(
                    Place::file(&file.source.path),
                    format!(
                        "expected raw output of another load generator, found the same bytes as in {}",
                        first.display()
                    ),
                )
                .hint("take one of the two out of the run folder: samples counted twice make every number wrong"));
            }
        }
        Ok(())
    }

    /// The fault of a run without any usable file, with why each was left out.
    pub fn nothing_usable(&self, paths: &[PathBuf]) -> Fault {
        let reasons: Vec<String> =
            self.ignored.iter().take(5).map(|(path, reason)| format!("{}: {reason}", path.display())).collect();
        let found = if reasons.is_empty() { "no file at all".to_owned() } else { reasons.join("; ") };
        let place = Place::file(paths.first().cloned().unwrap_or_default());
        Fault::at(place, format!("expected k6 output, a log, a summary or chart data, found {found}"))
            .hint("see `docs/formats.md` for what is read; `sweepdoc inspect` says what a file was recognised as")
    }
}

/// Folders among exports, each with the reason why nothing in it is read.
pub(super) fn folders_among_exports(folder: &Path, above: &str) -> Result<Vec<(String, String)>> {
    let mut folders: Vec<PathBuf> = entries(folder)?.into_iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let reason = format!("expected files in `{EXPORTS}` itself, found a folder");
        (format!("{above}{EXPORTS}/{name}"), reason)
    };
    Ok(folders.into_iter().map(named).collect())
}

/// The files of a folder itself, in order of name; hidden ones are left out.
pub(super) fn folder_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = entries(folder)?.into_iter().filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// Everything in a folder but hidden files, in no order.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let fault = |e| Fault::io(folder, "list", e);
    let all = std::fs::read_dir(folder).map_err(fault)?.map(|entry| entry.map(|e| e.path()).map_err(fault));
    let hidden = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    Ok(all.collect::<Result<Vec<_>>>()?.into_iter().filter(|path| !hidden(path)).collect())
}
