//! The table cut to the room a text has.

use super::markdown::{Markdown, notes, rows};
use super::words;
use crate::model::SweepTable;

/// Lines a table should still show beside its goals and remarks; with fewer the goals and remarks give way.
const LEAST_LINES: usize = 10;

/// A table that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The Markdown.
    pub text: String,
    /// How many of the table's lines it shows.
    pub lines: usize,
}

/// Writes as much of the table as `fits`, in the same form as [`summary_markdown`](super::summary_markdown).
///
/// The slowest runs are left out first, then goals and remarks, then all lines; a line below says how many are shown and where
/// the full table is: at `full_table`, a URL. `fits` must hold for every text shorter than one it holds for. `None` when not
/// even that line fits.
pub fn summary_fitted(
    table: &SweepTable,
    markdown: Markdown<'_>,
    full_table: Option<&str>,
    fits: impl Fn(&str) -> bool,
) -> Option<Fitted> {
    let runs = table.lines.len();
    let whole = super::summary_markdown(table, markdown);
    if fits(&whole) {
        return Some(Fitted { text: whole, lines: runs });
    }
    let cut = |lines: usize, with_notes: bool| {
        let mut parts = vec![rows(table, lines, markdown), words::shortened(lines, runs, with_notes, full_table)];
        if with_notes {
            parts.extend(words::picture(table.version.as_deref(), markdown.picture));
            parts.extend(notes(table));
        }
        parts.join("\n")
    };
    let most = |with_notes: bool| {
        let first_too_long = (0..=runs).collect::<Vec<_>>().partition_point(|lines| fits(&cut(*lines, with_notes)));
        Some(Fitted { lines: first_too_long.checked_sub(1)?, text: cut(first_too_long.checked_sub(1)?, with_notes) })
    };
    most(true).filter(|fitted| fitted.lines >= LEAST_LINES.min(runs)).or_else(|| most(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PageKind;
    use crate::model::{Goal, GoalResult, Scope, SweepDigest, SweepFigure, SweepLine, USUAL_COLUMNS};

    const MARKDOWN: Markdown<'static> = Markdown { kind: PageKind::Markdown, columns: &USUAL_COLUMNS, picture: None };

    fn table(runs: usize, goals: usize) -> SweepTable {
        let goal = Goal {
            target: "t".to_owned(),
            figure: SweepFigure::IterationsPerSecond,
            at_least: Some(1.0),
            at_most: None,
            link: None,
        };
        SweepTable {
            version: None,
            scope: Scope::Run,
            usual_vus: None,
            lines: (0..runs).map(|n| SweepLine { target: format!("t{n}"), ..SweepLine::default() }).collect(),
            goals: (0..goals).map(|_| GoalResult { goal: goal.clone(), reached: None, printed: None }).collect(),
            monitoring: SweepDigest::default(),
            remarks: Vec::new(),
        }
    }

    fn fitted(table: &SweepTable, room: usize) -> Option<Fitted> {
        let fitted = summary_fitted(table, MARKDOWN, Some("https://x/full"), |text| text.len() <= room);
        assert!(fitted.iter().all(|fitted| fitted.text.len() <= room));
        fitted
    }

    #[test]
    fn a_table_that_fits_is_whole() {
        let table = table(20, 1);
        let whole = crate::render::summary_markdown(&table, MARKDOWN);
        assert_eq!(fitted(&table, whole.len()), Some(Fitted { text: whole.clone(), lines: 20 }));
        assert!(fitted(&table, whole.len() - 1).is_some_and(|fitted| fitted.lines < 20));
    }

    #[test]
    fn a_cut_table_says_how_much_it_shows_and_where_the_rest_is() {
        let table = table(100, 1);
        let cut = fitted(&table, 3000).unwrap();
        assert!(cut.lines >= LEAST_LINES && cut.text.contains("**Goals**"));
        let note =
            format!("Shortened to fit: {} of 100 runs, the fastest; see the [full table](https://x/full).", cut.lines);
        assert!(cut.text.contains(&note), "{}", cut.text);
        let one_more = fitted(&table, 3200).unwrap().lines;
        assert!(one_more > cut.lines, "the room is used");
    }

    #[test]
    fn goals_give_way_before_the_last_lines_do() {
        let cut = fitted(&table(100, 200), 1500).unwrap();
        assert!(cut.lines > 0 && !cut.text.contains("**Goals**"));
        assert!(cut.text.contains("the fastest, without goals and remarks; see"));
    }

    #[test]
    fn a_picture_stands_below_the_table_of_its_version() {
        let with = |version: Option<&str>, picture| {
            let table = SweepTable { version: version.map(str::to_owned), ..table(1, 1) };
            crate::render::summary_markdown(&table, Markdown { picture: Some(picture), ..MARKDOWN })
        };
        let text = with(Some("v1"), "https://x/{version}/sweep.svg");
        let image = "\n\n![Latencies, iterations and failed requests of every target over time](https://x/v1/sweep.svg)\n\n**Goals**";
        assert!(text.contains(image), "{text}");
        assert!(with(None, "sweep.svg").contains("(sweep.svg)"));
        assert!(!with(None, "{version}/sweep.svg").contains("!["), "no version, no place");
    }

    #[test]
    fn nothing_is_written_where_not_even_the_note_fits() {
        assert_eq!(fitted(&table(5, 0), 100), None);
    }
}
