//! What the normalised text of a statement tells: whether it waits for an advisory lock, whether it was cut, what to call it.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Lengths query texts are usually cut at: in bytes by the database, in characters by what its labels pass through.
const CUT_LENGTHS: [usize; 7] = [256, 512, 1024, 2048, 4500, 10_240, 102_400];

/// Most columns a name lists.
const COLUMNS: usize = 3;

/// Comments, quoted text and quoted names: what stands in them is no call.
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?s)/\*.*?\*/|--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*""#).expect("a constant"));
/// A quoted name that needs no quotes: what code generators write.
static QUOTED_NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"^"(\w+)"$"#).expect("a constant"));
/// A call that waits. `pg_try_advisory_...` never waits, `pg_advisory_unlock...` gives a lock back.
static WAITING_CALL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(pg_advisory_(?:xact_)?lock(?:_shared)?)\s*\(").expect("a constant"));
static ACTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(insert into|update|delete from|merge into|from)\s+((?:\w+\s*\.\s*)?\w+)").expect("a constant")
});
/// What stands for a part of a statement in brackets.
const BRACKETS: char = '\u{1}';
/// A statement before the main one, its own brackets taken out: `name AS MATERIALIZED \u{1}`.
static COMMON_TABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(\w+)\s*(?:\x01\s*)?\bas\s+(?:not\s+)?(?:materialized\s+)?\x01").expect("a constant")
});
/// One that was cut within its brackets.
static CUT_COMMON_TABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?is)^\s*with\b.*\bas\s+(?:not\s+)?(?:materialized\s+)?\(").expect("a constant"));
static COLUMN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)(\w+)\s*(?:=|<>|>=|<=|>|<|\bin\b)\s*(?:any\s*)?\(?\s*\$\d").expect("a constant"));

/// True when a statement takes an advisory lock and waits for it. A call hidden in a function cannot be seen.
pub fn is_advisory_wait(text: &str) -> bool {
    waiting_call(text).is_some()
}

fn waiting_call(text: &str) -> Option<String> {
    let bare = QUOTED.replace_all(text, " ");
    Some(WAITING_CALL.captures(&bare)?.get(1)?.as_str().to_lowercase())
}

/// True when the text looks cut: nothing marks it. Its length is a usual limit, or quotes or brackets stay open.
pub(super) fn is_cut(text: &str) -> bool {
    let open = |c: char| text.chars().filter(|found| *found == c).count();
    let at_limit = CUT_LENGTHS.contains(&text.len()) || CUT_LENGTHS.contains(&text.chars().count());
    // half a character, as it was read
    at_limit || text.ends_with('\u{fffd}') || open('\'') % 2 == 1 || open('"') % 2 == 1 || open('(') > open(')')
}

/// A name for a statement: what it does, to which table, by which columns.
pub(super) fn name(text: &str) -> String {
    let bare = QUOTED.replace_all(text, |quoted: &Captures<'_>| {
        let quoted = quoted.get(0).map_or("", |found| found.as_str());
        QUOTED_NAME.captures(quoted).and_then(|found| found.get(1)).map_or(" ", |name| name.as_str()).to_owned()
    });
    if let Some(call) = waiting_call(text) {
        return format!("Advisory lock (`{call}`)");
    }
    let Some((verb, table)) = main_action(&bare) else { return shortened(&bare) };
    match verb.as_str() {
        "insert into" => format!("Insert into `{table}`"),
        "update" => format!("Update `{table}`"),
        "delete from" => format!("Delete from `{table}`"),
        "merge into" => format!("Merge into `{table}`"),
        _ => {
            let mut columns: Vec<&str> = Vec::new();
            for column in COLUMN.captures_iter(&bare).filter_map(|found| Some(found.get(1)?.as_str())) {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
            columns.truncate(COLUMNS);
            match columns.is_empty() {
                true => format!("Query `{table}`"),
                false => format!("Query `{table}` by {}", columns.join(", ")),
            }
        }
    }
}

/// What the main statement does, in lower case, and to which table.
///
/// What stands in brackets is no part of it: statements of `WITH`, sub-queries. Only where it reads from nothing but those, theirs
/// are looked at. Of a `WITH` that was cut before its main statement nothing is known.
fn main_action(bare: &str) -> Option<(String, String)> {
    let outer = outside_brackets(bare);
    let common: Vec<String> =
        COMMON_TABLE.captures_iter(&outer).filter_map(|found| Some(found.get(1)?.as_str().to_lowercase())).collect();
    let of = |text: &str| {
        let mut actions = ACTION.captures_iter(text).filter_map(|action| {
            let table: String = action.get(2)?.as_str().split_whitespace().collect();
            Some((action.get(1)?.as_str().to_lowercase(), table))
        });
        actions.find(|(_, table)| !common.contains(&table.to_lowercase()))
    };
    if CUT_COMMON_TABLE.is_match(&outer) {
        return None;
    }
    of(&outer).or_else(|| of(bare))
}

/// The text with each part in brackets made a single mark; one that is never closed stays.
fn outside_brackets(text: &str) -> String {
    let (mut outer, mut opened) = (String::with_capacity(text.len()), Vec::new());
    for c in text.chars() {
        match c {
            '(' => {
                opened.push(outer.len());
                outer.push(c);
            }
            ')' => {
                outer.truncate(opened.pop().unwrap_or(outer.len()));
                outer.push(BRACKETS);
            }
            BRACKETS => outer.push(' '),
            _ => outer.push(c),
        }
    }
    outer
}

fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|c| *c != '`').take(60).collect();
    if line.is_empty() { "Statement without text".to_owned() } else { format!("`{line}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_that_wait_are_lock_waits() {
        for waits in [
            "SELECT pg_advisory_lock ( $1 )",
            "SELECT pg_advisory_xact_lock($1)",
            "select PG_ADVISORY_XACT_LOCK_SHARED ( hashtext ( $1 ) )",
            "SELECT pg_catalog . pg_advisory_lock_shared ( $1 )",
        ] {
            assert!(is_advisory_wait(waits), "{waits}");
        }
        for never in [
            "SELECT pg_try_advisory_lock ( $1 )",
            "SELECT pg_advisory_unlock ( $1 )",
            "SELECT pg_advisory_unlock_all ( )",
            "SELECT $1 -- pg_advisory_lock ( $1 )",
            "SELECT /* pg_advisory_lock(1) */ $1",
            "SELECT 'pg_advisory_lock ( 1 )'",
            "SELECT \"pg_advisory_lock\" FROM t",
            "SELECT my_pg_advisory_lock ( $1 )",
            "SELECT app . push ( $1 )",
        ] {
            assert!(!is_advisory_wait(never), "{never}");
        }
    }

    #[test]
    fn a_text_without_its_end_is_known_as_cut() {
        assert!(is_cut(&"x".repeat(1024)));
        assert!(is_cut("SELECT f ( $1"));
        assert!(is_cut(&"ä".repeat(1024)), "characters, of two bytes each");
        assert!(is_cut("SELECT \u{fffd}"));
        assert!(is_cut("SELECT 'abc"));
        assert!(!is_cut("SELECT f ( $1 ) FROM \"t\""));
    }

    #[test]
    fn statements_are_named_by_what_they_do() {
        for (text, expected) in [
            ("SELECT pg_advisory_xact_lock ( $1 )", "Advisory lock (`pg_advisory_xact_lock`)"),
            ("INSERT INTO app . events ( a ) VALUES ( $1 )", "Insert into `app.events`"),
            ("UPDATE app . sessions SET a = $1", "Update `app.sessions`"),
            (
                "SELECT p FROM app . events WHERE tenant_id = $1 AND id = ANY ( $2 ) AND seq > $3",
                "Query `app.events` by tenant_id, id, seq",
            ),
            ("SELECT 1 FROM t", "Query `t`"),
            ("WITH x AS ( SELECT a FROM t WHERE b = $1 ) INSERT INTO e ( a ) SELECT a FROM x", "Insert into `e`"),
            (
                "WITH x ( a ) AS MATERIALIZED ( SELECT f ( a ) FROM t ) UPDATE app . e SET a = x . a FROM x",
                "Update `app.e`",
            ),
            ("WITH RECURSIVE x AS ( SELECT a FROM t ) , y AS ( SELECT 1 ) DELETE FROM e USING x", "Delete from `e`"),
            ("WITH x AS ( SELECT a FROM t ) SELECT x . a FROM x JOIN y ON true", "Query `t`"),
            ("WITH x AS ( UPDATE q SET a = $1 RETURNING a ) SELECT a FROM x", "Update `q`"),
            ("WITH x AS ( SELECT a FROM t WHERE ( b", "`WITH x AS ( SELECT a FROM t WHERE ( b`"),
            ("SELECT ( SELECT max ( a ) FROM sub ) FROM t WHERE id = $1", "Query `t` by id"),
            ("SELECT extract ( epoch FROM created ) FROM t", "Query `t`"),
            ("SELECT a FROM ( SELECT a FROM t ) AS s", "Query `t`"),
            ("SELECT f ( a FROM t", "Query `t`"),
            ("SELECT \"id\" FROM \"app\" . \"users\" WHERE \"users\" . \"id\" = $1", "Query `app.users` by id"),
            ("SELECT 'x' FROM t WHERE a = 'from b'", "Query `t`"),
            ("COMMIT", "`COMMIT`"),
            ("", "Statement without text"),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
    }
}
