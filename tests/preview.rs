//! `preview`: folders and servers of pages as readers will see them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use support::docs::Scratch;

mod support;

fn published() -> Scratch {
    let scratch = Scratch::new();
    scratch.sweepdoc("publish fixtures/sweep --out docs --quiet");
    scratch
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path())),
            false => found.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned()),
        }
    }
    found.sort();
    found
}

#[test]
fn a_preview_has_an_index_and_a_page_and_a_picture_for_each_run() {
    let scratch = published();
    assert_eq!(scratch.sweepdoc("preview docs --out shown"), "shown/index.html\n");
    let files = files_below(&scratch.path("shown"));
    assert_eq!(files.len(), 11, "{files:?}");
    for target in ["browse_catalog", "place_order", "search", "sign_in"] {
        for file in ["index.html", "latency.svg"] {
            assert!(files.contains(&format!("pages/v1.4.0/{target}/{file}")), "{files:?}");
        }
        let picture = scratch.read(&format!("shown/pages/v1.4.0/{target}/latency.svg"));
        assert_eq!(picture, scratch.read(&format!("docs/v1.4.0/{target}/latency.svg")), "the page's own picture");
    }
    let index = scratch.read("shown/index.html");
    // the figures of the README's excerpt
    for cell in ["browse_catalog</a>", ">56 / 1,636 (3.42%)</td>", "src=\"sweep.svg\"", "nothing found"] {
        assert!(index.contains(cell), "{cell}");
    }
    // what a summary says below its table
    assert!(index.contains("Before you compare"), "{index}");
    // a second time over the first, and from the sweep itself, it is the same but for the folder's name
    scratch.sweepdoc("preview docs --out shown");
    let twice = scratch.read("shown/pages/v1.4.0/search/index.html");
    scratch.sweepdoc("preview fixtures/sweep --out of-sweep --quiet");
    assert_eq!(files_below(&scratch.path("of-sweep")), files);
    assert_eq!(scratch.read("of-sweep/pages/v1.4.0/search/index.html"), twice);
}

#[test]
fn a_preview_of_a_sweep_is_what_publish_would_leave() {
    let scratch = Scratch::new();
    // where the project file says the pages go
    scratch.sweepdoc("publish fixtures/sweep --quiet");
    let page = "target/docs/v1.4.0/sign_in/index.mdx";
    let edited = scratch.read(page).replace("Sign-in alone, as a reference", "Sign-in, told by hand");
    std::fs::write(scratch.path(page), format!("{edited}\nA word at the end.\n")).unwrap();
    let project = "fixtures/sweep/sweepdoc.toml";
    let later =
        scratch.read(project).replace("\"Client location\" = \"eu-west\"", "\"Client location\" = \"eu-north\"");
    std::fs::write(scratch.path(project), later).unwrap();
    let before = scratch.read(page);
    let output = scratch.shell("sweepdoc preview fixtures/sweep --out shown");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("`Purpose` was edited by hand and stays"), "{said}");
    assert_eq!(scratch.read(page), before, "nothing is published");
    let shown = "shown/pages/v1.4.0/sign_in/index.html";
    let html = scratch.read(shown);
    for part in ["Sign-in, told by hand", "corrected by hand", "<p>A word at the end.</p>", "<td>eu-north</td>"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    scratch.sweepdoc("publish fixtures/sweep --quiet");
    scratch.sweepdoc("preview target/docs --out published");
    assert_eq!(scratch.read("published/pages/v1.4.0/sign_in/index.html"), html);
}

#[test]
fn notes_beside_the_runs_of_a_sweep_do_not_make_it_a_folder_of_pages() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("fixtures/sweep/notes.md"), "# Notes\n").unwrap();
    std::fs::write(scratch.path("fixtures/sweep/sign_in/notes.md"), "# More\n").unwrap();
    scratch.sweepdoc("preview fixtures/sweep --out shown --quiet");
    let files = files_below(&scratch.path("shown/pages"));
    assert_eq!(files.len(), 8, "{files:?}");
    assert!(files.contains(&"v1.4.0/sign_in/index.html".to_owned()), "{files:?}");
    // pages with k6's output on them are no runs
    scratch.sweepdoc("publish fixtures/sweep --out docs --quiet");
    std::fs::copy(scratch.path("fixtures/sweep/sweepdoc.toml"), scratch.path("docs/v1.4.0/sweepdoc.toml")).unwrap();
    scratch.sweepdoc("preview docs/v1.4.0 --out of-pages --quiet");
    assert_eq!(files_below(&scratch.path("of-pages/pages")).len(), 8);
}

#[test]
fn a_page_leads_to_the_other_pages_of_the_preview() {
    let scratch = published();
    let page = "docs/v1.4.0/search/index.mdx";
    let text = scratch.read(page) + "\nSee [sign-in](../sign_in/), [all](../../../) and [data](./output.json).\n";
    std::fs::write(scratch.path(page), text).unwrap();
    scratch.sweepdoc("preview docs --out shown");
    let html = scratch.read("shown/pages/v1.4.0/search/index.html");
    let link = "See <a href=\"../../../pages/v1.4.0/sign_in/index.html\" rel=\"noreferrer\">sign-in</a>, all and data.";
    assert!(html.contains(link), "{html}");
}

#[test]
fn a_path_that_leaves_the_output_stays_within_the_preview() {
    let scratch = Scratch::new();
    let project = "product = \"Shop\"\nversion = \"v1\"\n[pages]\npath = \"../../{version}/{target}/index.mdx\"\n";
    std::fs::write(scratch.path("my-sweep/sweepdoc.toml"), project).unwrap();
    scratch.sweepdoc("preview my-sweep --out a/b/shown --quiet");
    assert!(scratch.path("a/b/shown/pages/v1/search/index.html").exists());
    assert!(!scratch.path("v1").exists() && !scratch.path("a/v1").exists());
}

#[test]
fn what_a_person_got_wrong_stands_beside_the_words() {
    let scratch = published();
    let page = "docs/v1.4.0/browse_catalog/index.mdx";
    let text =
        scratch.read(page).replace("| VUs | 8 |", "| VUs | 9 |").replace("## k6 output", "An aside.\n\n## k6 output");
    std::fs::write(scratch.path(page), text).unwrap();
    scratch.sweepdoc("preview docs --out shown");
    let html = scratch.read("shown/pages/v1.4.0/browse_catalog/index.html");
    let row = html.split("<tr>").find(|row| row.contains(">VUs</th>")).unwrap();
    for part in ["<mark class=\"error\"", ">9</mark>", "corrected by hand", "evidence.json says 8"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    assert!(html.contains("<p>An aside.</p>") && html.contains("1 row edited by hand"));
    assert!(scratch.read("shown/index.html").contains("1 error, 0 warnings, 0 notes; 1 row edited by hand"));
}

#[test]
fn pages_that_differ_in_their_extensions_have_a_file_each() {
    let scratch = published();
    let page = scratch.read("docs/v1.4.0/search/index.mdx");
    std::fs::write(scratch.path("docs/v1.4.0/search/index.md"), page.replace("| VUs | 4 |", "| VUs | 77 |")).unwrap();
    scratch.sweepdoc("preview docs --out shown");
    let html = |name: &str| scratch.read(&format!("shown/pages/v1.4.0/search/{name}.html"));
    assert!(html("index.md").contains(">77</mark>") && !html("index.mdx").contains("77</mark>"));
    assert!(scratch.path("shown/pages/v1.4.0/search/index.md.latency.svg").exists());
    let index = scratch.read("shown/index.html");
    for file in ["index.md", "index.mdx"] {
        assert!(index.contains(&format!("<span class=\"version\">v1.4.0/search/{file}</span></th>")), "{index}");
    }
    assert!(!index.contains("sign_in/index.mdx"), "what can be told apart is");
    assert!(scratch.path("shown/pages/v1.4.0/sign_in/index.html").exists(), "others keep their names");
}

#[test]
fn the_index_of_several_versions_is_not_called_after_one_of_them() {
    let scratch = published();
    std::fs::write(scratch.path("docs/sweepdoc.toml"), "product = \"Shop\"\nversion = \"v1.4.0\"\n").unwrap();
    scratch.sweepdoc("preview docs --out shown");
    assert!(scratch.read("shown/index.html").contains("<h1>Shop v1.4.0</h1>"));
    assert!(scratch.shell("cp -r docs/v1.4.0 docs/v1.3.0").status.success());
    scratch.sweepdoc("preview docs --out shown");
    assert!(scratch.read("shown/index.html").contains("<h1>Shop</h1>"));
}

#[test]
fn nothing_of_this_machine_is_shown() {
    let scratch = published();
    let absolute = scratch.path("docs");
    scratch.sweepdoc(&format!("preview {} --out shown", absolute.display()));
    for file in files_below(&scratch.path("shown")) {
        let text = scratch.read(&format!("shown/{file}"));
        assert!(!text.contains(&*scratch.path("").to_string_lossy()), "{file}");
    }
}

#[test]
fn a_folder_with_something_else_in_it_is_left_alone() {
    let scratch = published();
    let output = scratch.shell("sweepdoc preview docs --out fixtures");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected an empty folder or an earlier preview"));
    assert!(!scratch.path("fixtures/index.html").exists());
    let nowhere = scratch.shell("sweepdoc preview my-sweep --out shown");
    assert_eq!(nowhere.status.code(), Some(2), "a sweep needs its project file");
}

#[test]
fn pages_that_are_gone_leave_the_preview_and_files_of_a_person_stay() {
    let scratch = published();
    scratch.sweepdoc("preview docs --out shown");
    std::fs::write(scratch.path("shown/pages/v1.4.0/search/notes.txt"), "mine").unwrap();
    for target in ["search", "sign_in"] {
        std::fs::remove_dir_all(scratch.path(&format!("docs/v1.4.0/{target}"))).unwrap();
    }
    scratch.sweepdoc("preview docs --out shown");
    let files = files_below(&scratch.path("shown/pages"));
    assert!(!files.iter().any(|file| file.contains("sign_in")) && !scratch.path("shown/pages/v1.4.0/sign_in").exists());
    let of_search: Vec<&String> = files.iter().filter(|file| file.contains("search")).collect();
    assert_eq!(of_search, ["v1.4.0/search/notes.txt"]);
}

#[test]
fn pages_from_before_this_program_are_shown_with_what_their_chart_data_says() {
    let scratch = published();
    std::fs::remove_file(scratch.path("docs/v1.4.0/search/evidence.json")).unwrap();
    scratch.sweepdoc("preview docs/v1.4.0/search/index.mdx --out shown");
    assert_eq!(
        files_below(&scratch.path("shown")),
        ["index.html", "pages/index.html", "pages/latency.svg", "preview.json"]
    );
    let html = scratch.read("shown/pages/index.html");
    assert!(
        html.contains("src=\"latency.svg\"") && html.contains("href=\"../index.html\"") && !html.contains("by hand")
    );
}

#[test]
fn a_server_answers_on_this_machine_until_it_is_ended() {
    let scratch = published();
    let mut server = Command::new(env!("CARGO_BIN_EXE_sweepdoc"))
        .args(["preview", "docs", "--serve", "--quiet"])
        .current_dir(scratch.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET /pages/v1.4.0/search/ HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("<h1>search benchmark of Shop v1.4.0</h1>"));
    assert!(!scratch.path("preview").exists());
}

/// Interrupted at any step of writing, over an earlier preview or where nothing stood, the next preview puts everything right.
#[test]
#[cfg(debug_assertions)]
fn an_interrupted_preview_is_finished_by_the_next() {
    const KILLED: i32 = 99;
    let scratch = published();
    scratch.sweepdoc("preview docs --out earlier");
    std::fs::remove_dir_all(scratch.path("docs/v1.4.0/sign_in")).unwrap();
    scratch.sweepdoc("preview docs --out wanted");
    let wanted = files_below(&scratch.path("wanted"));
    let mut killed = 0;
    for before in ["earlier", "nothing"] {
        for step in (1..).step_by(8) {
            let start = if before == "earlier" { "cp -r earlier shown && " } else { "" };
            let run = scratch.shell(&format!(
                "rm -rf shown && {start} SWEEPDOC_FAULT=kill:{step} sweepdoc preview docs --out shown"
            ));
            let was_killed = run.status.code() == Some(KILLED);
            killed += usize::from(was_killed);
            scratch.sweepdoc("preview docs --out shown");
            assert_eq!(files_below(&scratch.path("shown")), wanted, "{before}, step {step}");
            for file in wanted.iter().filter(|file| file.as_str() != "preview.json") {
                let read = |folder: &str| scratch.read(&format!("{folder}/{file}"));
                assert_eq!(read("shown"), read("wanted"), "{before}, step {step}");
            }
            if !was_killed {
                break;
            }
        }
    }
    assert!(killed >= 8, "{killed}");
}
