use super::*;

/// The texts a reader sees, each checked to stand where it is said to.
fn texts(page: &str) -> Vec<String> {
    let flow = Flow::of(page);
    let mut texts = Vec::new();
    for (event, range) in flow.events() {
        if let Event::Text(text) = event {
            let source = page.get(range).unwrap_or_else(|| panic!("no place of the page: {text}"));
            assert!(source == &*text || source.contains("{/*") && source.len() == text.len(), "{page:?}: {source:?}");
            texts.push(text.into_string());
        }
    }
    texts
}

#[test]
fn front_matter_imports_and_exports_are_no_text() {
    let page = "---\ntitle: a\n---\n\nimport A from \"./a.json\";\nimport { B } from 'b';\nexport const c = {\n  d: 1,\n};\n\nText.\n";
    assert_eq!(texts(page), ["Text."]);
    assert_eq!(texts(&page.replace('\n', "\r\n")), ["Text."]);
    assert_eq!(texts(&format!("\u{feff}{page}")), ["Text."]);
    assert_eq!(texts("\u{feff}Text"), ["Text"]);
    assert_eq!(texts("import duties rose.\n"), ["import duties rose."]);
    assert_eq!(texts("They\nexport const values.\n"), ["They", "export const values."]);
}

#[test]
fn comments_are_no_text_but_in_code() {
    assert_eq!(texts("a {/* b | c */} d\n"), ["a               d"]);
    assert_eq!(texts("{/* one\n\ntwo */}\n| a |\n|---|\n"), ["a"]);
    assert_eq!(texts("x `{/* y` z\n"), ["x ", " z"]);
}

#[test]
fn what_stands_between_tags_is_markdown_however_it_is_indented() {
    for page in [
        "<Note>\n| a | b |\n|---|---|\n| c | d |\n</Note>\n",
        "<Note>\n\n    | a | b |\n    |---|---|\n    | c | d |\n\n</Note>\n",
        "<Tabs>\n  <Tab\n    name={x > 1}\n  >\n      | a | b |\n      |---|---|\n      | c | d |\n  </Tab>\n</Tabs>\n",
        "<div style={{ margin: 0 }} title=\"a > b\">\n\t| a | b |\n\t|---|---|\n\t| c | d |\n</div>\n",
        "<>\n<Chart data={OutputSource} />\n| a | b |\n|---|---|\n| c | d |\n</>\n",
    ] {
        assert_eq!(texts(page), ["a", "b", "c", "d"], "{page}");
        assert_eq!(texts(&page.replace('\n', "\r\n")), ["a", "b", "c", "d"], "{page}");
    }
}

#[test]
fn what_is_behind_a_wrapper_is_read_as_before_it() {
    let page = "<Note>\n    in\n</Note>\n\nout `code`\n\n- item\n  - inner\n";
    assert_eq!(texts(page), ["in", "out ", "item", "inner"]);
}

#[test]
fn code_stays_code() {
    let code = "<Note>\nimport a from 'b'\n{/* c */}\n";
    assert_eq!(texts(&format!("```bash\n{code}```\nd\n")), [code, "d"]);
    assert_eq!(texts("~~~\n```\n~~~\na\n"), ["```\n", "a"]);
    let indented = Flow::of("<Note>\n  ```\n  a\n    b\n  ```\n</Note>\n");
    let code: Vec<String> = indented
        .events()
        .filter_map(|(e, _)| if let Event::Text(t) = e { Some(t.into_string()) } else { None })
        .collect();
    assert_eq!(code.concat(), "a\n  b\n");
    assert!(texts("<pre>\n*a*\n</pre>\n").is_empty(), "the content of `pre` is HTML's");
}

#[test]
fn tags_within_text_stay_where_they_are() {
    let events: Vec<String> =
        Flow::of("a <b>c</b>\n<https://x.org>\n").events().map(|(e, _)| format!("{e:?}")).collect();
    assert!(
        events.iter().any(|e| e.contains("InlineHtml")) && events.iter().any(|e| e.contains("x.org")),
        "{events:?}"
    );
}

#[test]
fn hostile_pages_do_no_harm() {
    for page in
        ["", "<", "<a", "</", "{/*", "`{/*", "```", "---", "---\n", "\u{feff}", "</a></a>\n", "<a\n\n\nb", "é<a>\n é\n"]
    {
        texts(page);
        let _ = Flow::of(page).events().count();
    }
}
