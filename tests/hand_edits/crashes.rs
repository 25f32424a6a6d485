//! Interruptions at every step of writing: what was published before, and what is published now, never mix.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::random::Random;
use crate::support::k6::{Csv, START};
use crate::support::sweep::{Ran, Sweep, contents, run};
use crate::through_the_binary::run_of;

/// Exit code of a process that was ended on demand.
const KILLED: i32 = 99;

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Two published runs, one of them about to be published again from other data; its page has an edit by hand.
struct Scene {
    sweep: Sweep,
    before: Files,
    after: Files,
}

impl Scene {
    fn new() -> Self {
        let sweep = Sweep::new("[pages]\nmirror = \"../mirror/{target}/output.json\"\n");
        sweep.write("other/k6.csv", Csv::healthy(START + 600, 20).0);
        sweep.write("pat_login/k6.csv", run_of(200, 6));
        sweep.publish(&[]).done();
        let page = sweep.out().join("v1/pat_login/index.mdx");
        let edited = std::fs::read_to_string(&page).unwrap().replace("## Endpoint", "A remark.\n\n## Endpoint");
        std::fs::write(&page, edited).unwrap();
        let mut scene = Scene { sweep, before: Files::new(), after: Files::new() };
        scene.before = scene.published();
        scene.sweep.write("pat_login/k6.csv", run_of(300, 7));
        scene.sweep.publish(&[]).done();
        scene.after = scene.published();
        assert_eq!(scene.before.len(), 10, "page, chart data, its copy, picture and evidence of two runs");
        let changed = scene.before.iter().filter(|(path, bytes)| scene.after[*path] != **bytes);
        assert_eq!(changed.count(), 5);
        scene.reset();
        scene
    }

    /// As [`Scene::new`], with nothing of the run published before.
    fn first_publish() -> Self {
        let mut scene = Scene::new();
        std::fs::remove_dir_all(scene.mirror()).unwrap();
        std::fs::remove_dir_all(scene.sweep.out()).unwrap();
        scene.sweep.publish(&[]).done();
        scene.after = scene.published();
        scene.before = scene.after.clone();
        scene.before.retain(|path, _| !path.to_string_lossy().contains("pat_login"));
        scene.reset();
        scene
    }

    fn mirror(&self) -> PathBuf {
        self.sweep.out().with_file_name("mirror")
    }

    /// Everything published that is not hidden.
    fn published(&self) -> Files {
        let both = contents(&self.sweep.out())
            .into_iter()
            .chain(contents(&self.mirror()).into_iter().map(|(path, bytes)| (Path::new("mirror").join(path), bytes)));
        both.filter(|(path, _)| !is_hidden(path)).collect()
    }

    fn hidden(&self) -> Vec<PathBuf> {
        let all = contents(&self.sweep.out()).into_keys().chain(contents(&self.mirror()).into_keys());
        all.filter(|path| is_hidden(path)).collect()
    }

    fn reset(&self) {
        for folder in [self.sweep.out(), self.mirror()] {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        for (path, bytes) in &self.before {
            let path = match path.strip_prefix("mirror") {
                Ok(below) => self.mirror().join(below),
                Err(_) => self.sweep.out().join(path),
            };
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }

    /// After a publish of the *other* run everything is as before, or everything is new; says which. Another publish then
    /// ends the matter, and leaves nothing behind.
    #[track_caller]
    fn settled(&self, what: &str) -> bool {
        let ran = self.sweep.publish(&["--target", "other"]);
        assert_eq!(ran.code, 0, "{what}: {ran:#?}");
        let now = self.published();
        let is_new = now == self.after;
        if !is_new && now != self.before {
            let state = |path: &PathBuf| match now.get(path) {
                None => "missing",
                found if found == self.after.get(path) => "new",
                found if found == self.before.get(path) => "old",
                Some(_) => "neither",
            };
            let states: Vec<_> = self.after.keys().map(|path| (path, state(path))).collect();
            panic!("{what}: mixed: {states:#?}\n{ran:#?}");
        }
        self.sweep.publish(&[]).done();
        assert_eq!(self.published(), self.after, "{what}");
        assert_eq!(self.hidden(), Vec::<PathBuf>::new(), "{what}");
        self.reset();
        is_new
    }

    fn publish_with_fault(&self, fault: &str) -> Ran {
        let mut command = self.sweep.publish_command(&[]);
        command.env("SWEEPDOC_FAULT", fault);
        run(command)
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Interrupts a publish at each of its steps; returns how often nothing had changed, and how often everything.
fn at_every_step(scene: &Scene, how: &str, code: i32) -> (usize, usize) {
    let (mut old, mut new) = (0, 0);
    for step in 1.. {
        let what = format!("{how}:{step}");
        let ran = scene.publish_with_fault(&what);
        if ran.code == 0 {
            scene.reset();
            break;
        }
        assert_eq!(ran.code, code, "{what}: {ran:#?}");
        if scene.settled(&what) { new += 1 } else { old += 1 }
    }
    (old, new)
}

#[test]
fn a_crash_at_any_step_leaves_all_files_old_or_all_new() {
    // faults on demand exist in debug builds only
    if cfg!(debug_assertions) {
        let (old, new) = at_every_step(&Scene::new(), "kill", KILLED);
        assert!(old >= 16 && new >= 5, "{old} old, {new} new");
    }
}

#[test]
fn a_crash_of_a_first_publish_leaves_all_files_or_none() {
    if cfg!(debug_assertions) {
        let (old, new) = at_every_step(&Scene::first_publish(), "kill", KILLED);
        assert!(old >= 16 && new >= 5, "{old} old, {new} new");
    }
}

#[test]
fn a_step_that_fails_is_an_error_and_mixes_nothing() {
    if cfg!(debug_assertions) {
        let (old, new) = at_every_step(&Scene::new(), "fail", 2);
        assert!(old >= 16 && new >= 5, "{old} old, {new} new");
    }
}

/// A step at which a publish leaves its journal, with nothing switched yet.
fn step_behind_the_journal(scene: &Scene) -> u32 {
    let is_there = || scene.hidden().iter().any(|path| path.ends_with(".sweepdoc.journal"));
    let step = (1..200).find(|step| scene.publish_with_fault(&format!("kill:{step}")).code == KILLED && is_there());
    step.expect("a publish has a journal")
}

#[test]
fn a_crash_while_an_interrupted_publish_is_finished_mixes_nothing() {
    if !cfg!(debug_assertions) {
        return;
    }
    let scene = Scene::new();
    let first = format!("kill:{}", step_behind_the_journal(&scene));
    for step in 1.. {
        scene.reset();
        assert_eq!(scene.publish_with_fault(&first).code, KILLED);
        let second = format!("kill:{step}");
        let code = scene.publish_with_fault(&second).code;
        assert!(scene.settled(&format!("{first}, then {second}")), "what has a journal is finished");
        if code == 0 {
            break;
        }
    }
}

#[test]
fn a_crash_while_an_interrupted_publish_is_undone_mixes_nothing() {
    if !cfg!(debug_assertions) {
        return;
    }
    let scene = Scene::new();
    let first = format!("kill:{}", step_behind_the_journal(&scene));
    let page = Path::new("v1/pat_login/index.mdx");
    for step in 1.. {
        scene.reset();
        assert_eq!(scene.publish_with_fault(&first).code, KILLED);
        let mut edited = scene.before[page].clone();
        edited.extend_from_slice(b"\nA late remark.\n");
        std::fs::write(scene.sweep.out().join(page), &edited).unwrap();
        let mut command = scene.sweep.publish_command(&["--target", "other"]);
        command.env("SWEEPDOC_FAULT", format!("kill:{step}"));
        let code = run(command).code;
        scene.sweep.publish(&["--target", "other"]).done();
        let mut wanted = scene.before.clone();
        wanted.insert(page.to_path_buf(), edited);
        assert!(scene.published() == wanted, "{first}, then kill:{step}");
        if code == 0 {
            break;
        }
    }
}

#[test]
#[should_panic(expected = "mixed")]
fn a_mix_of_old_and_new_is_found_out() {
    let scene = Scene::new();
    let evidence = Path::new("v1/pat_login/evidence.json");
    std::fs::write(scene.sweep.out().join(evidence), &scene.after[evidence]).unwrap();
    scene.settled("a lone file");
}

#[test]
fn check_and_check_mode_say_that_a_publish_was_interrupted() {
    if !cfg!(debug_assertions) {
        return;
    }
    let scene = Scene::new();
    step_behind_the_journal(&scene);
    let ran = scene.sweep.publish(&["--check"]);
    assert!(ran.code == 1 && ran.stderr.contains("an interrupted publish is to be finished here"), "{ran:#?}");
    let mut check = crate::support::sweep::command(["check", "../docs"]);
    check.current_dir(scene.sweep.root());
    assert!(run(check).stderr.contains("../docs: an interrupted publish left"));
    let ran = scene.sweep.publish(&["--target", "other"]);
    assert!(ran.stderr.contains("pat_login: an interrupted publish was finished"), "{ran:#?}");
}

/// Kills at random moments; `KILLS` sets another number.
fn kills() -> u64 {
    std::env::var("KILLS").map_or(20, |kills| kills.parse().expect("KILLS is a number"))
}

#[test]
#[allow(clippy::print_stdout)] // the record of a long run
fn a_kill_at_any_moment_leaves_all_files_old_or_all_new() {
    let scene = Scene::new();
    let started = Instant::now();
    scene.sweep.publish(&[]).done();
    let whole = started.elapsed();
    scene.reset();
    let mut random = Random::new(7);
    let (mut old, mut new) = (0, 0);
    for kill in 0..kills() {
        let mut command = scene.sweep.publish_command(&[]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if kill % 2 == 0 {
            // most of the time goes into reading: wait for the first sign of writing
            let started = Instant::now();
            while scene.hidden().is_empty() && child.try_wait().unwrap().is_none() && started.elapsed() < whole * 20 {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_micros(random.below(8_000) as u64));
        } else {
            std::thread::sleep(whole.mul_f64(random.below(1_200) as f64 / 1_000.0));
        }
        // the process may be gone by itself
        let _ = child.kill();
        child.wait().unwrap();
        if scene.settled(&format!("kill {kill}")) { new += 1 } else { old += 1 }
    }
    println!("{} kills: {old} left everything old, {new} everything new", old + new);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_all_files_old() {
    let scene = Scene::new();
    let program = env!("CARGO_BIN_EXE_sweepdoc");
    let largest = scene.after.values().map(Vec::len).max().unwrap();
    // a limit for the size of files, in blocks of 512 bytes: with the signal caught writing fails, else it ends the process
    for trap in ["trap '' XFSZ;", ""] {
        for blocks in 0..largest / 512 {
            let script = format!("{trap} ulimit -c 0; ulimit -f {blocks}; exec \"$0\" publish . --out ../docs");
            let mut command = Command::new("sh");
            command.args(["-c", &script, program]).current_dir(scene.sweep.root());
            let ran = run(command);
            assert_ne!(ran.code, 0, "{blocks}: {ran:#?}");
            assert_eq!(scene.published(), scene.before, "{trap} {blocks}: {ran:#?}");
            if blocks % 8 == 0 {
                assert!(!scene.settled(&format!("{trap} {blocks} blocks")));
            }
        }
    }
}

/// Publishes onto a file system of so many KiB that holds what was published before, in a namespace of its own: the mount
/// goes with the process. How it ended, and what was there afterwards; `None` when not even the old files have room.
#[cfg(target_os = "linux")]
fn on_a_small_disk(scene: &Scene, kib: usize) -> Option<(Ran, Files)> {
    const NO_ROOM: i32 = 77;
    let script = r#"
        mount -t tmpfs -o size="$1"k small ../disk && cp -r ../docs ../mirror ../disk 2>/dev/null || exit 77
        "$0" publish . --out ../disk/docs; code=$?
        rm -rf ../found && cp -r ../disk ../found && exit $code"#;
    let root = scene.sweep.root();
    std::fs::create_dir_all(root.with_file_name("disk")).unwrap();
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_sweepdoc"), &kib.to_string()]).current_dir(&root);
    let ran = run(command);
    if ran.code == NO_ROOM {
        return None;
    }
    let found = contents(&root.with_file_name("found"));
    let name = |path: PathBuf| path.strip_prefix("docs").map(Path::to_path_buf).unwrap_or(path);
    Some((ran, found.into_iter().map(|(path, bytes)| (name(path), bytes)).collect()))
}

#[cfg(target_os = "linux")]
#[test]
#[allow(clippy::print_stdout)] // the record of a long run
fn a_full_file_system_leaves_all_files_old() {
    let scene = Scene::new();
    let large = 16 << 10;
    if on_a_small_disk(&scene, large).is_none() {
        println!("skipped: no file system can be mounted here");
        return;
    }
    let (mut full, mut kib) = (0, 4);
    loop {
        if let Some((ran, found)) = on_a_small_disk(&scene, kib) {
            if ran.code == 0 {
                assert!(found == scene.after, "{kib} KiB: {ran:#?}");
                break;
            }
            // hidden files count: a full disk is not left fuller
            assert!(ran.code == 2 && found == scene.before, "{kib} KiB: {ran:#?}\n{:#?}", found.keys());
            full += 1;
        }
        kib += 4;
        assert!(kib < large, "no size is enough");
    }
    println!("{full} sizes of a disk on which the old files have room and the new ones have not: all old each time");
    assert!(full >= 4, "{full}");
}

#[test]
fn publishes_at_once_do_not_mix() {
    let scene = Scene::new();
    let others: Vec<Sweep> = (0..3)
        .map(|n| {
            let sweep = Sweep::new("[pages]\nmirror = \"../mirror/{target}/output.json\"\n");
            sweep.write("pat_login/k6.csv", run_of(400 + n, 8));
            sweep
        })
        .collect();
    let out = scene.sweep.out();
    for round in 0..4 {
        let mut children: Vec<_> = others
            .iter()
            .map(|sweep| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_sweepdoc"));
                command.arg("publish").arg(sweep.root()).arg("--out").arg(&out);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .collect();
        for child in &mut children {
            assert_eq!(child.wait().unwrap().code(), Some(0), "round {round}");
        }
        let evidence = scene.sweep.evidence("pat_login");
        let vus = evidence.k6.vus_max.unwrap();
        assert!((400..403).contains(&vus));
        assert!(scene.sweep.page("pat_login").contains(&format!("| VUs | {vus} |")));
        assert_eq!(scene.hidden(), Vec::<PathBuf>::new());
    }
}
