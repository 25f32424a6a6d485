//! Input that cannot be used: one clear error, exit code 2, and what was published stays as it was.

mod support;

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use support::k6::{COLUMNS, Csv, START};
use support::sweep::{Sweep, contents, run, sweepdoc, warnings};

/// A sweep of one target that was published once, and whose input then changes.
struct Republished {
    sweep: Sweep,
    before: std::collections::BTreeMap<PathBuf, Vec<u8>>,
}

impl Republished {
    fn new(config: &str) -> Self {
        let sweep = Sweep::new(config);
        sweep.write("pat_login/k6.csv", Csv::healthy(START, 60).0);
        sweep.publish(&[]).done();
        let before = sweep.published();
        assert_eq!(before.len(), 4, "page, picture, chart data and evidence");
        Republished { sweep, before }
    }

    /// Asserts that publishing is refused with these words and changes nothing.
    #[track_caller]
    fn refused(&self, words: &[&str]) {
        self.sweep.publish(&[]).refused(words);
        assert_eq!(self.sweep.published(), self.before, "what was published changed");
    }

    #[track_caller]
    fn refuses_csv(csv: impl AsRef<[u8]>, words: &[&str]) {
        let published = Republished::new("");
        published.sweep.write("pat_login/k6.csv", csv);
        published.refused(words);
    }
}

#[test]
fn a_folder_without_anything_usable_is_an_error_that_says_what_was_found() {
    let published = Republished::new("");
    std::fs::remove_file(published.sweep.root().join("pat_login/k6.csv")).unwrap();
    published.refused(&["expected a folder for each run of the sweep, found none"]);
    published.sweep.write("pat_login/notes.md", "# Notes\n");
    published.refused(&["./pat_login: ", "notes.md: text without any line of k6's terminal output"]);
}

#[test]
fn binary_and_empty_files_are_no_output_of_k6() {
    let binary: Vec<u8> = (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    Republished::refuses_csv(binary, &["./pat_login/k6.csv: ", "found binary file", "take the run's folder out"]);
    Republished::refuses_csv("", &["./pat_login/k6.csv: ", "found empty file"]);
    Republished::refuses_csv("\n\n", &["./pat_login: ", "k6.csv: nothing but white space"]);
}

#[test]
fn a_folder_left_out_of_a_sweep_is_said() {
    let published = Republished::new("");
    published.sweep.write("scripts/run.sh", "echo hello\n");
    let ran = published.sweep.publish(&[]).done();
    assert!(ran.stderr.contains("./scripts: left out: none of its 1 files is of a k6 run"), "{}", ran.stderr);
    published.sweep.publish(&["--target", "scripts"]).refused(&["./scripts: ", "run.sh: text without"]);
    published.sweep.write("otp_login/k6.csv", "");
    published.sweep.publish(&[]).refused(&["./otp_login/k6.csv: ", "found empty file"]);
}

#[test]
fn a_header_without_rows_is_a_run_that_never_started() {
    Republished::refuses_csv(format!("{COLUMNS}\n"), &["k6.csv: expected rows below the header", "never started"]);
    Republished::refuses_csv(COLUMNS, &["k6.csv: expected rows below the header"]);
}

fn json_lines(points: usize) -> Vec<String> {
    let point = |n| {
        format!(
            r#"{{"metric":"http_reqs","type":"Point","data":{{"time":"2026-08-27T13:41:{:02}Z","value":1,"tags":{{"group":"","scenario":"default","status":"200"}}}}}}"#,
            n % 60
        )
    };
    (0..points).map(point).collect()
}

#[test]
fn a_json_line_cut_in_the_middle_of_the_file_is_an_error_with_its_line() {
    for broken in [0, 4] {
        let mut lines = json_lines(9);
        lines[broken].truncate(40);
        let published = Republished::new("");
        std::fs::remove_file(published.sweep.root().join("pat_login/k6.csv")).unwrap();
        published.sweep.write("pat_login/k6.json", lines.join("\n") + "\n");
        let place = format!("k6.json:{}: expected a line of k6's JSON output", broken + 1);
        published.refused(&[&place, "use the file as k6 wrote it"]);
    }
}

#[test]
fn a_number_that_is_none_is_an_error_with_line_column_and_text() {
    let mut csv = String::from(COLUMNS) + "\n";
    let row = |value: &str| format!("vus,{START},{value},,,,,,,,,,,,,,,,\n");
    csv.extend((2..18_342).map(|_| row("2.000000")));
    csv.push_str(&row("1m0s"));
    csv.push_str(&row("2.000000"));
    let place = "k6.csv:18342: column `metric_value`: expected a number, found `1m0s`";
    Republished::refuses_csv(csv, &[place, "this looks like a terminal summary"]);
    let nan = Csv::healthy(START, 3).0.replacen("20.000000", "NaN", 1);
    Republished::refuses_csv(nan, &["column `metric_value`: expected a number, found `NaN`", "k6's own output"]);
}

#[test]
fn a_row_with_too_few_columns_is_an_error_with_both_counts() {
    let csv = Csv::healthy(START, 3).0 + "vus,1787838100,2.000000,,\n" + "vus,1787838101,2.000000,,,,,,,,,,,,,,,,\n";
    Republished::refuses_csv(csv, &["k6.csv:23: expected 19 columns as in the header, found 5", "spreadsheet"]);
}

#[test]
fn columns_of_a_spreadsheet_are_refused_by_name() {
    let csv = Csv::healthy(START, 3).0.replace(',', ";");
    Republished::refuses_csv(csv, &["k6.csv:1: expected a column `metric_name`", "separated by `;`"]);
    let rounded = Csv::healthy(START, 3).0.replace(&START.to_string(), "1.787E+09");
    Republished::refuses_csv(rounded, &["column `timestamp`", "`1.787E+09`", "spreadsheets"]);
}

#[test]
fn a_time_in_the_year_58884_is_an_error() {
    let mut csv = Csv::healthy(START, 3);
    csv.sample("iterations", 1_796_051_801_623_i64, 1.0, &[]);
    Republished::refuses_csv(csv.0, &["k6.csv:23: column `timestamp`", "in the year 58884", "K6_CSV_TIME_FORMAT"]);
}

#[test]
fn a_window_of_another_run_is_an_error_that_names_both_files() {
    let published = Republished::new("");
    let log = "start_utc=2026-08-27 09:00:00 UTC target=pat_login\nend_utc=2026-08-27 09:30:00 UTC\n";
    published.sweep.write("pat_login/k6.log", log);
    published.refused(&["k6.csv: ", "k6.log", "2026-08-27T09:00:00Z", "2026-08-27T13:41:19Z", "another run"]);
}

#[test]
fn vus_that_disagree_with_the_data_are_an_error_at_their_line() {
    let published = Republished::new("");
    published.sweep.write(
        "sweepdoc.toml",
        "product = \"Shop\"\nversion = \"v1\"\n\n[targets.pat_login]\nwords = \"login\"\nvus = 600\n",
    );
    published.refused(&["sweepdoc.toml:6: `vus` in `[targets.pat_login]` says 600, the data says 2", "correct `vus`"]);
    published.sweep.write("sweepdoc.toml", "product = \"Shop\"\nversion = \"v1\"\n[facts]\nVUs = \"600\"\n");
    published.refused(&["sweepdoc.toml: fact `VUs` says `600`, the data says `2`"]);
}

#[test]
fn an_unknown_key_is_an_error_that_lists_the_valid_ones() {
    let published = Republished::new("");
    published.sweep.write("sweepdoc.toml", "product = \"Shop\"\nversion = \"v1\"\n\n[errors]\nburst_cuont = 3\n");
    published.refused(&[
        "sweepdoc.toml:5: unknown key `burst_cuont` in `[errors]`",
        "`burst_count`",
        "`gap_seconds`",
        "did you mean `burst_count`?",
    ]);
    published.sweep.write("sweepdoc.toml", "product = \"Shop\"\nversion = \"v1\"\n[pages\n");
    published.refused(&["sweepdoc.toml:3: invalid TOML"]);
}

#[test]
fn a_template_that_names_an_unknown_row_is_an_error_with_the_row_meant() {
    let published = Republished::new("[pages]\n");
    let config = "product = \"Shop\"\nversion = \"v1\"\n[pages]\ntemplate = \"page.mdx\"\n";
    published.sweep.write("sweepdoc.toml", config);
    published
        .sweep
        .write("page.mdx", "# {{ title }}\n\n| Metric | Value |\n| :- | :- |\n| a | {{ row(\"Tset start\") }} |\n");
    published.refused(&["page.mdx:5: no row is called `Tset start`", "did you mean `Test start`?"]);
    published.sweep.write("page.mdx", "# {{ titel }}\n");
    published.refused(&["page.mdx:1: `titel` is not defined", "did you mean `title`?"]);
    std::fs::remove_file(published.sweep.root().join("page.mdx")).unwrap();
    published.refused(&["page.mdx: cannot read the template"]);
}

#[test]
fn an_output_folder_that_cannot_be_written_is_an_error_before_anything_is_read() {
    let published = Republished::new("");
    let file = published.sweep.write("a_file", "text");
    // the raw file is broken too: it is not even looked at
    published.sweep.write("pat_login/k6.csv", "");
    for out in ["a_file", "a_file/below"] {
        let ran = run({
            let mut command = support::sweep::command(["publish", ".", "--out", out]);
            command.current_dir(published.sweep.root());
            command
        });
        ran.refused(&[out, "cannot write into the output folder", "--out"]);
    }
    published.sweep.write("pat_login/k6.csv", Csv::healthy(START, 3).0);
    let run_folder = published.sweep.root().join("pat_login");
    sweepdoc(["reduce".into(), run_folder, "--out".into(), file.join("below")])
        .refused(&["cannot make the folder", "--out"]);
    assert_eq!(std::fs::read(&file).unwrap(), b"text");
    assert_eq!(published.sweep.published(), published.before);
}

#[test]
fn a_target_that_would_leave_the_output_folder_is_refused_wherever_it_comes_from() {
    let published = Republished::new("");
    let root = published.sweep.root();
    let run_folder = root.join("pat_login");
    let reduce = |args: &[&str]| {
        let mut command = support::sweep::command(["reduce"]);
        command.arg(&run_folder).arg("--out").arg(root.join("reduced")).args(args);
        run(command)
    };
    for name in ["../../x", "..", "a/b", "a\\b", "/etc", "C:x", ""] {
        reduce(&["--target", name]).refused(&["target name", "--target"]);
    }
    published.sweep.write("pat_login/k6.log", "start_utc=2026-08-27 13:41:19 UTC target=../../x\n");
    reduce(&[]).refused(&["target name `../../x` contains a path separator"]);
    published.refused(&["k6.log: stamp `target`: expected `pat_login`", "found `../../x`"]);
    std::fs::remove_file(run_folder.join("k6.log")).unwrap();
    published.sweep.publish(&["--target", "../../x"]).refused(&["expected a run folder `../../x`, found `pat_login`"]);
    published.sweep.write("a..b/k6.csv", Csv::healthy(START + 600, 3).0);
    published.refused(&["target name `a..b`"]);
    assert!(contents(&root.join("reduced")).is_empty());
    assert_eq!(contents(published.sweep.out().parent().unwrap()).keys().filter(|p| p.ends_with("x")).count(), 0);
}

#[test]
fn identical_and_disjoint_raw_files_in_one_folder_are_refused_by_name() {
    let published = Republished::new("");
    published.sweep.write("pat_login/copy.csv", Csv::healthy(START, 60).0);
    published.refused(&["pat_login/k6.csv", "the same bytes as in", "copy.csv"]);
    published.sweep.write("pat_login/copy.csv", Csv::healthy(START + 600, 60).0);
    published.refused(&["k6.csv", "copy.csv", "overlap in time", "keep one run per folder"]);
}

#[test]
fn two_formats_of_one_run_that_differ_are_refused() {
    let mut csv = Csv::new();
    (0..9).for_each(|n| {
        csv.sample("http_reqs", START + n, 1.0, &[("status", "200")]);
    });
    let published = Republished::new("");
    published.sweep.write("pat_login/k6.csv", &csv.0);
    published.sweep.write("pat_login/k6.json", json_lines(8).join("\n") + "\n");
    published.refused(&["k6.csv", "k6.json", "9 of `http_reqs` here and 8 there"]);
    published.sweep.write("pat_login/k6.json", json_lines(9).join("\n") + "\n");
    published.sweep.publish(&[]).done();
    assert_eq!(published.sweep.evidence("pat_login").requests.unwrap().run.total, 9, "one run, not two");
}

#[test]
fn what_can_be_left_out_is_counted_in_evidence_and_on_stderr() {
    let whole = Csv::healthy(START, 60).0;
    let cut_line = format!("{whole}http_req_sending,{},0", START + 60);
    let mut infinite = Csv(whole.clone());
    infinite.sample("queue_depth", START, f64::INFINITY, &[]).sample("queue_depth", START, f64::NEG_INFINITY, &[]);
    let infinite = infinite.0.replace("inf", "+Inf").replace("-+Inf", "-Inf");
    let lines = json_lines(9).join("\n");
    for (name, content, code, words) in [
        ("k6.csv", cut_line.into_bytes(), "skipped-rows", "1 rows left out: cut last line, first in line 422"),
        ("k6.csv", infinite.into_bytes(), "skipped-rows", "2 rows left out: value is not finite, first in line 422"),
        ("k6.json", lines.into_bytes(), "skipped-rows", "1 rows left out: cut last line, first in line 9"),
        ("k6.csv.gz", cut_gzip(&whole), "truncated-input", "ends without its trailer"),
    ] {
        let sweep = Sweep::new("");
        sweep.write(&format!("pat_login/{name}"), content);
        let ran = sweep.publish(&[]).done();
        let kept = sweep.evidence("pat_login");
        assert!(warnings(&kept, code).iter().any(|message| message.contains(words)), "{:?}", kept.warnings);
        assert!(ran.stderr.contains(words) && ran.stderr.contains(code), "{}", ran.stderr);
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// As k6 leaves it when it is killed.
fn cut_gzip(text: &str) -> Vec<u8> {
    let mut bytes = gzip(text);
    bytes.truncate(bytes.len() - 20);
    bytes
}

#[test]
fn plain_gzip_and_zstandard_input_give_the_same_evidence() {
    let text = Csv::healthy(START, 60).0;
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let published = |name: &str, bytes: &[u8]| {
        let sweep = Sweep::new("");
        sweep.write(&format!("pat_login/{name}"), bytes);
        sweep.publish(&[]).done();
        let evidence = sweep.evidence("pat_login");
        let rows = evidence.sources[0].rows;
        let others = sweep.published().into_iter().filter(|(path, _)| !path.ends_with("evidence.json"));
        (sweepdoc::model::Evidence { sources: Vec::new(), ..evidence }, rows, others.collect::<Vec<_>>())
    };
    let plain = published("k6.csv", text.as_bytes());
    assert_eq!(published("k6.csv.gz", &gzip(&text)), plain);
    assert_eq!(published("k6.csv.zst", &zstd), plain);
}

#[test]
fn published_bytes_are_the_same_in_every_zone_and_locale() {
    let mut csv = Csv::healthy(START, 700);
    (0..40).for_each(|n| {
        csv.failure(START + 100 + n, 9.5, &[("status", "503"), ("error_code", "1503")]);
    });
    let published = |settings: &[(&str, &str)]| {
        let sweep = Sweep::of_run([("k6.csv", csv.0.as_str())]);
        let mut command = sweep.publish_command(&[]);
        command.env_remove("TZ").env_remove("LC_ALL").envs(settings.iter().copied());
        let ran = run(command).done();
        (sweep.published(), ran.stdout, ran.stderr)
    };
    let reference = published(&[]);
    for zone in ["UTC", "America/New_York", "Asia/Kolkata"] {
        for locale in ["C", "C.UTF-8"] {
            assert_eq!(published(&[("TZ", zone), ("LC_ALL", locale)]), reference, "{zone} {locale}");
        }
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let published = Republished::new("");
    let mut command = published.sweep.publish_command(&["--format", "json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
