//! Text from data written so that a page shows it as it is, in Markdown and in MDX alike.
//!
//! Log lines, check names and error texts come from servers and scripts. Unescaped they break a table (`|`), fail the
//! build of an MDX page (`<200ms`), print something else (`{1+1}`) or run code. Every function here returns text that
//! shows the characters it was given and can do nothing else.
//!
//! One break needs an element: sites turn `https://…`, `www.…`, `name@host` and `:name:` into links and pictures *after* backslashes and
//! character references are resolved, so only `<wbr/>` (an allowed line break, valid in both languages) keeps them apart.

/// Keeps a link or a shortcode from being recognised across it; shows nothing.
const BREAK: &str = "<wbr/>";

/// Shortest fence of a code block.
const SHORTEST_FENCE: usize = 3;

/// Returns what can be seen of a text: without terminal colours, control characters and invisible direction marks.
///
/// Each run of white space, line ends included, becomes one space; none is left at the ends. Direction marks go because
/// they can make a text read as another.
pub fn visible(text: &str) -> String {
    let clean = without_controls(&without_ansi(text));
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Escapes a text from data for use inside a table cell or anywhere within a line of prose.
///
/// The result has no line end and is empty when nothing of the text can be seen.
pub fn cell(text: &str) -> String {
    let text: Vec<char> = visible(text).chars().collect();
    let mut out = String::with_capacity(text.len() + 16);
    for (at, &c) in text.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|i| text.get(i)).copied();
        let rest = text.get(at + 1..).unwrap_or_default();
        if needs_backslash(c, before, rest.first().copied()) {
            out.push('\\');
        }
        if c == '.' && ends_with_www(&out) {
            out.push_str(BREAK);
        }
        out.push(c);
        if c == '@' || (c == ':' && (starts_url(rest) || starts_shortcode(rest))) {
            out.push_str(BREAK);
        }
    }
    out
}

/// Escapes a text from data that stands at the beginning of a line of prose.
///
/// As [`cell`], and what would begin a heading, a list, a table, a directive, an `import` or an `export` there does not.
pub fn prose(text: &str) -> String {
    let escaped = cell(text);
    let digits = escaped.len() - escaped.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, after) = escaped.split_at(digits);
    if digits > 0 && after.starts_with(['.', ')']) {
        return format!("{number}\\{after}");
    }
    if escaped.starts_with(['#', '-', '+', '=', ':']) {
        return format!("\\{escaped}");
    }
    // MDX takes a block that begins with these words for program text; a character reference hides the first letter
    match escaped.chars().next() {
        Some(first) if escaped.starts_with("import") || escaped.starts_with("export") => {
            format!("&#{};{}", u32::from(first), &escaped[first.len_utf8()..])
        }
        _ => escaped,
    }
}

/// Makes a text from data fit for the inside of a code block: line ends are LF, no terminal colours, no control characters.
///
/// Tabs stay. Trailing line ends go, so that the closing fence follows the last line.
pub fn code(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let clean: String = without_ansi(&lines).chars().filter(|&c| c == '\n' || c == '\t' || !is_unseen(c)).collect();
    clean.trim_end_matches('\n').to_owned()
}

/// The fence a block with this content needs: longer than any run of backticks in it.
pub fn fence(content: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in content.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(SHORTEST_FENCE.max(longest + 1))
}

/// Writes a text from data as a whole code block, without a line end after the closing fence.
pub fn fenced(text: &str, language: &str) -> String {
    let content = code(text);
    let fence = fence(&content);
    format!("{fence}{language}\n{content}\n{fence}")
}

/// Writes Markdown by a trusted author into a table cell: links, bold and code stay, the table stays whole.
///
/// Line ends become `<br/>`, so does `<br>`, which MDX refuses; a bare `|` is escaped, inside code too, as tables ask for.
pub fn fact(markdown: &str) -> String {
    let joined = markdown.trim().lines().map(str::trim).collect::<Vec<_>>().join("<br/>").replace("<br>", "<br/>");
    let mut out = String::with_capacity(joined.len());
    let mut escaped = false;
    for c in joined.chars() {
        if c == '|' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    // a lone backslash at the end would take the cell's border with it
    if escaped {
        out.push('\\');
    }
    out
}

fn needs_backslash(c: char, before: Option<char>, after: Option<char>) -> bool {
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        '\\' | '`' | '*' | '{' | '}' | '[' | ']' | '<' | '>' | '|' | '~' | '$' => true,
        // between two letters it never marks emphasis, and names stay readable
        '_' => !(word(before) && word(after)),
        '&' => after.is_some_and(|c| c == '#' || c.is_ascii_alphabetic()),
        _ => false,
    }
}

fn starts_url(rest: &[char]) -> bool {
    rest.starts_with(&['/', '/'])
}

/// `:name:`, which some sites turn into a picture. Without a letter it is a time of day.
fn starts_shortcode(rest: &[char]) -> bool {
    let name = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-')).count();
    let (name, after) = rest.split_at(name);
    after.first() == Some(&':') && name.iter().any(char::is_ascii_alphabetic)
}

fn ends_with_www(out: &str) -> bool {
    out.len().checked_sub(3).and_then(|at| out.get(at..)).is_some_and(|tail| tail.eq_ignore_ascii_case("www"))
}

/// Control characters, direction marks and other characters without a width that change how text reads.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn without_controls(text: &str) -> String {
    text.chars().filter(|&c| c.is_whitespace() || !is_unseen(c)).collect()
}

/// Takes out ANSI escape sequences; an ESC that begins none of them goes with the other control characters.
fn without_ansi(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = after_sequence(after);
    }
    out.push_str(rest);
    out
}

/// What follows the sequence whose ESC has just been read (ECMA-48: control sequences, operating system commands, charsets).
fn after_sequence(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some('[') => {
            let end = chars.as_str().trim_start_matches(|c: char| ('\u{20}'..='\u{3f}').contains(&c));
            end.strip_prefix(|c: char| ('\u{40}'..='\u{7e}').contains(&c)).unwrap_or(end)
        }
        Some(']') => {
            chars.as_str().find(['\u{7}', '\u{1b}', '\n']).and_then(|end| chars.as_str().get(end..)).unwrap_or("")
        }
        Some('\\') => chars.as_str(),
        Some('(' | ')') => {
            chars.next();
            chars.as_str()
        }
        _ => text,
    }
}

#[cfg(test)]
#[path = "escape_tests.rs"]
mod tests;
