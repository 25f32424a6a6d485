use proptest::prelude::*;

use super::*;

const TABLE: &str = "| target |\n|:---|\n| login |\n";

fn slot_in(text: &str) -> Result<Slot<'_>> {
    slot(text, Path::new("body.md"), Comments::Html, Wanted::OfVersion(Some("v2")))
}

fn updated(text: &str) -> String {
    slot_in(text).unwrap_or_else(|fault| panic!("{fault}\n{text}")).with(TABLE)
}

fn complaint(text: &str) -> String {
    slot_in(text).unwrap_err().to_string()
}

#[test]
fn what_stands_between_the_markers_is_replaced_and_nothing_else() {
    let text = "# Sweep\n\n<!-- sweepdoc:summary -->\nold\n\nolder\n<!-- /sweepdoc:summary -->\n  trailing  ";
    let wanted = format!("# Sweep\n\n<!-- sweepdoc:summary -->\n\n{TABLE}\n<!-- /sweepdoc:summary -->\n  trailing  ");
    assert_eq!(updated(text), wanted);
    assert_eq!(updated(&wanted), wanted);
}

#[test]
fn an_empty_block_and_markers_without_space_are_filled() {
    let text = "<!--sweepdoc:summary-->\n<!--/sweepdoc:summary-->";
    assert_eq!(updated(text), format!("<!--sweepdoc:summary-->\n\n{TABLE}\n<!--/sweepdoc:summary-->"));
}

#[test]
fn a_text_without_a_block_gets_one_at_its_end() {
    let block = format!("<!-- sweepdoc:summary -->\n\n{TABLE}\n<!-- /sweepdoc:summary -->");
    for (text, wanted) in [
        ("", format!("{block}\n")),
        ("\n", format!("\n{block}\n")),
        ("text", format!("text\n\n{block}")),
        ("text\n", format!("text\n\n{block}\n")),
        ("text\n\n", format!("text\n\n{block}\n")),
    ] {
        assert_eq!(updated(text), wanted, "{text:?}");
        assert_eq!(updated(&wanted), wanted, "{text:?}");
        assert!(slot_in(text).unwrap().is_new() && !slot_in(&wanted).unwrap().is_new());
    }
}

#[test]
fn the_block_has_the_line_ends_of_its_text_and_a_byte_order_mark_stays() {
    let text = "\u{feff}<!-- sweepdoc:summary -->\r\nold\r\n<!-- /sweepdoc:summary -->\r\nend";
    let table = TABLE.replace('\n', "\r\n");
    let wanted = format!("\u{feff}<!-- sweepdoc:summary -->\r\n\r\n{table}\r\n<!-- /sweepdoc:summary -->\r\nend");
    assert_eq!(updated(text), wanted);
    assert_eq!(
        updated("\u{feff}a\r\nb"),
        format!("\u{feff}a\r\nb\r\n\r\n<!-- sweepdoc:summary -->\r\n\r\n{table}\r\n<!-- /sweepdoc:summary -->")
    );
}

#[test]
fn a_block_within_a_list_item_stays_within_it() {
    let text = "- item\n\n  <!-- sweepdoc:summary -->\n  <!-- /sweepdoc:summary -->\n";
    let wanted = "- item\n\n  <!-- sweepdoc:summary -->\n\n  | target |\n  |:---|\n  | login |\n\n  <!-- /sweepdoc:summary -->\n";
    assert_eq!(updated(text), wanted);
}

#[test]
fn the_block_that_bears_the_versions_name_is_taken_before_the_one_without_a_name() {
    let block = |name: &str| format!("<!-- sweepdoc:summary{name} -->\nold{name}\n<!-- /sweepdoc:summary -->\n");
    let both = format!("{}{}", block(""), block(" v2"));
    assert!(updated(&both).contains("old\n") && !updated(&both).contains("old v2"));
    let unnamed = format!("{}{}", block(" v1"), block(""));
    assert!(updated(&unnamed).contains("old v1") && !updated(&unnamed).contains("old\n"));
    let other = updated(&block(" v1"));
    assert!(other.contains("old v1") && other.contains("\n<!-- sweepdoc:summary v2 -->\n"), "{other}");
}

#[test]
fn a_block_of_a_name_is_that_one_or_a_new_one() {
    let named =
        |text: &str| slot(text, Path::new("body.md"), Comments::Html, Wanted::Named("nightly")).unwrap().with("x\n");
    let unnamed = "<!-- sweepdoc:summary -->\nold\n<!-- /sweepdoc:summary -->\n";
    let new = named(unnamed);
    assert_eq!(new, format!("{unnamed}\n<!-- sweepdoc:summary nightly -->\n\nx\n\n<!-- /sweepdoc:summary -->\n"));
    assert_eq!(named(&new), new);
    assert!(named("text\n").contains("<!-- sweepdoc:summary nightly -->"));
}

#[test]
fn mdx_has_its_own_comments_and_no_indented_code() {
    let mdx =
        |text: &str| slot(text, Path::new("page.mdx"), Comments::Mdx, Wanted::OfVersion(None)).unwrap().with("x\n");
    assert_eq!(mdx("a\n"), "a\n\n{/* sweepdoc:summary */}\n\nx\n\n{/* /sweepdoc:summary */}\n");
    let within = "<Tabs>\n\n    {/* sweepdoc:summary */}\n    {/* /sweepdoc:summary */}\n\n</Tabs>\n";
    assert!(mdx(within).contains("    {/* sweepdoc:summary */}\n\n    x\n\n    {/* /sweepdoc:summary */}"));
}

#[test]
fn a_marker_in_code_is_none() {
    for text in [
        "```md\n<!-- sweepdoc:summary -->\n```\n",
        "~~~~\n<!-- /sweepdoc:summary -->\n~~~~\n",
        "Put `<!-- sweepdoc:summary -->` into the body.\n",
        "text\n\n    <!-- sweepdoc:summary -->\n",
    ] {
        let new = updated(text);
        assert!(new.starts_with(text) && new.len() > text.len() + TABLE.len(), "{text}");
        assert_eq!(updated(&new), new);
    }
}

#[test]
fn other_comments_are_no_markers() {
    for text in ["<!-- sweepdoc:summaries -->\n", "<!-- sweepdoc -->\n", "<!-- /summary -->\n", "{/* sweepdoc */}\n"] {
        assert!(slot_in(text).unwrap().is_new(), "{text}");
    }
}

#[test]
fn markers_that_do_not_pair_up_are_refused_with_their_line() {
    let (open, close) = ("<!-- sweepdoc:summary -->", "<!-- /sweepdoc:summary -->");
    for (text, wanted) in [
        (format!("a\n{open}\nb\n"), "body.md:2: expected the block `<!-- sweepdoc:summary -->` to end"),
        (format!("a\nb\n{close}\n"), "body.md:3: found `<!-- /sweepdoc:summary -->` without a block it ends"),
        (
            format!("{open}\n{open}\n{close}\n"),
            "body.md:2: expected the end of the block `<!-- sweepdoc:summary -->` of line 1",
        ),
        (
            format!("{open}\n{close}\n\n{open}\n{close}\n"),
            "body.md:4: expected one block `<!-- sweepdoc:summary -->`, found another on line 1",
        ),
        (format!("{open}\n```\n{close}\n```\n"), "body.md:1: expected the block"),
        (format!("{open}\n{{/* /sweepdoc:summary */}}\n"), "body.md:2: expected the end of the block"),
        (
            "<!-- sweepdoc:summary a -->\n<!-- /sweepdoc:summary b -->\n".to_owned(),
            "body.md:2: expected the end of the block",
        ),
        (format!("text {open}\n{close}\n"), "body.md:1: expected `<!-- sweepdoc:summary -->` on a line of its own"),
        (format!("{open}{close}\n"), "body.md:1: expected `<!-- sweepdoc:summary -->` on a line of its own"),
    ] {
        assert!(complaint(&text).starts_with(wanted), "{text}\n{}", complaint(&text));
    }
}

#[test]
fn a_text_that_ends_within_code_is_refused() {
    assert!(complaint("a\n\n```sh\nls\n").starts_with("body.md:3: expected the code that begins here to end"));
    assert!(slot_in("> ```\n> quoted\n").is_ok(), "a quote ends its code");
}

#[test]
fn a_version_that_cannot_stand_in_a_comment_is_refused() {
    let text = "<!-- sweepdoc:summary v1 -->\n<!-- /sweepdoc:summary -->\n";
    for version in ["a--b", "v1 -->", "*/", "a b", "<x>"] {
        let fault = slot(text, Path::new("body.md"), Comments::Html, Wanted::OfVersion(Some(version))).unwrap_err();
        assert!(fault.message.contains("cannot be the name of a block"), "{version}");
    }
}

/// Lines people write, and lines that look like something.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~äß🌈]{0,20}",
        Just(String::new()),
        Just("```".to_owned()),
        Just("- item".to_owned()),
        Just("    indented".to_owned()),
        Just("> quoted".to_owned()),
        Just("| a | b |".to_owned()),
        Just("|---|---|".to_owned()),
        Just("<details>".to_owned()),
        Just("<!-- comment -->".to_owned()),
        Just("<!-- sweepdoc:summary v1 -->".to_owned()),
        Just("<!-- /sweepdoc:summary v1 -->".to_owned()),
        Just("{/* sweepdoc:summary */}".to_owned()),
    ]
}

fn human() -> impl Strategy<Value = (String, &'static str)> {
    (prop::collection::vec(line(), 0..8), prop_oneof![Just("\n"), Just("\r\n")], any::<bool>())
        .prop_map(|(lines, newline, ends)| (lines.join(newline) + if ends { newline } else { "" }, newline))
}

/// What an update of this text breaks. A text whose markers do not pair up, or that ends within code, is refused and stays.
fn broken_by(text: &str, update: fn(&Slot<'_>) -> String) -> Option<&'static str> {
    let slot = slot_in(text).ok()?;
    let once = update(&slot);
    if slot.is_new() && !once.starts_with(text) {
        return Some("the text is no longer the beginning");
    }
    if !slot.is_new() {
        // what was taken out is the block's content alone
        let old = &text[slot.before.len()..text.len() - slot.after.len()];
        let is_marker = [" -->", " */}"].iter().any(|end| slot.before.trim_end().ends_with(end));
        if format!("{}{old}{}", slot.before, slot.after) != text || !is_marker {
            return Some("what stays does not end with its marker");
        }
    }
    if !(once.starts_with(slot.before) && once.ends_with(slot.after)) {
        return Some("a byte outside the block changed");
    }
    match slot_in(&once) {
        Err(_) => Some("its own output is refused"),
        Ok(again) => (update(&again) != once).then_some("twice is not once"),
    }
}

#[test]
fn the_property_finds_every_broken_update() {
    let old = "\u{feff}a\r\n\r\n<!-- sweepdoc:summary -->\r\nold\r\n<!-- /sweepdoc:summary -->\r\nend\r\n";
    let new = "\u{feff}a\r\n";
    type Update = fn(&Slot<'_>) -> String;
    let broken: [(&str, Update); 6] = [
        ("trims the end", |slot| slot.with(TABLE).trim_end().to_owned()),
        ("writes other line ends", |slot| slot.with(TABLE).replace("\r\n", "\n")),
        ("takes the byte order mark", |slot| slot.with(TABLE).replace('\u{feff}', "")),
        ("drops what is behind the block", |slot| format!("{}{TABLE}", slot.before)),
        ("grows each time", |slot| format!("{}{TABLE}{}{}", slot.before, slot.before.len(), slot.after)),
        ("leaves a marker behind", |slot| format!("{}<!-- sweepdoc:summary -->\n{}", slot.before, slot.after)),
    ];
    for (what, update) in broken {
        let found = [old, new].map(|text| broken_by(text, update));
        assert!(found.iter().any(Option::is_some), "an update that {what} passes");
    }
    assert_eq!([old, new].map(|text| broken_by(text, |slot| slot.with(TABLE))), [None, None]);
}

proptest! {
    #[test]
    fn nothing_outside_the_block_changes_and_twice_is_once((text, newline) in human(), (behind, _) in human(), has_block: bool, bom: bool) {
        let text = format!("{}{text}", if bom { "\u{feff}" } else { "" });
        let text = match has_block {
            true => format!("{text}{newline}{newline}<!-- sweepdoc:summary -->{newline}old{newline}<!-- /sweepdoc:summary -->{newline}{behind}"),
            false => text,
        };
        prop_assert_eq!(broken_by(&text, |slot| slot.with(TABLE)), None);
    }

    #[test]
    fn any_bytes_are_read_without_panic(text: String) {
        let _ = slot_in(&text).map(|slot| slot.with(TABLE));
    }
}
