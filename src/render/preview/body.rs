//! Markdown to HTML: escaped, with marks and notes.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};

use super::Remark;
use super::inline::{escaped_text, is_line_break, note, slug};
use super::links::Links;
use super::marks::Marks;
use crate::notation::flow::Flow;
use crate::notation::place::Lines;
use crate::render::mdx::{self, components};
use crate::render::picture::FILE_NAME;
use crate::render::xml::escaped;

/// What stands beside the words of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Beside<'a> {
    /// Remarks on its words.
    pub remarks: &'a [Remark],
    /// Lines of the rows a person wrote or changed, with what to say of each.
    pub edited: &'a [(u64, String)],
    /// HTML that stands where the page has its chart.
    pub chart: &'a str,
    /// Where its links lead.
    pub links: Links<'a>,
}

/// The content of a page as HTML: of what only a site's build understands, front matter, imports, comments and the tags of
/// components, nothing is shown, but what stands between tags is. A page that does not compile as MDX is taken as the Markdown
/// it is.
pub(super) fn html(page: &str, beside: &Beside<'_>) -> String {
    let tree = mdx::parse(page).ok();
    let chart = tree.as_ref().and_then(components::chart).and_then(|chart| chart.position.as_ref());
    let flow = Flow::of(page);
    let events: Vec<(Event<'_>, Range<usize>)> = flow.events().collect();
    let mut writer = Writer {
        page,
        lines: Lines::of(page),
        beside,
        marks: Marks::of(page, beside.remarks),
        said: BTreeSet::new(),
        anchors: HashMap::from([(MAIN.to_owned(), 0)]),
        chart: chart.map(|place| place.start.offset),
        drawn: false,
        depth: 0,
        image: 0,
        in_comment: false,
        links: Vec::new(),
        table: None,
        out: String::new(),
    };
    for (at, (event, range)) in events.iter().enumerate() {
        writer.event(event, range.clone(), events.get(at + 1..).unwrap_or_default());
    }
    writer.place_chart(usize::MAX);
    writer.finish()
}

/// The anchor of the document's content, which no heading can have.
const MAIN: &str = "main";

struct Writer<'a> {
    page: &'a str,
    lines: Lines<'a>,
    beside: &'a Beside<'a>,
    marks: Marks<'a>,
    /// Remarks that have a note already.
    said: BTreeSet<usize>,
    /// The anchors that are taken, each with the number the next heading of its text gets.
    anchors: HashMap<String, u64>,
    chart: Option<usize>,
    /// True once the run's picture has been shown.
    drawn: bool,
    /// Blocks that are open.
    depth: u32,
    /// Images that are open: their text is an attribute's.
    image: u32,
    /// True within a comment of HTML, which may go on over lines.
    in_comment: bool,
    /// Whether each open link leads anywhere.
    links: Vec<bool>,
    table: Option<Table>,
    out: String,
}

/// The table under way.
struct Table {
    alignments: Vec<Alignment>,
    has_notes: bool,
    column: usize,
    in_head: bool,
    line: u64,
}

impl Writer<'_> {
    /// `rest` are the events behind this one.
    fn event(&mut self, event: &Event<'_>, range: Range<usize>, rest: &[(Event<'_>, Range<usize>)]) {
        match event {
            Event::Start(tag) => self.start(tag, range, rest),
            Event::End(end) => self.end(*end, range),
            Event::Text(text) => self.text(text, range.start),
            Event::Code(text) => {
                self.out.push_str("<code>");
                // the words begin behind the backticks
                let ticks = self.page.get(range.clone()).map_or(0, |s| s.len() - s.trim_start_matches('`').len());
                self.text(text, range.start + ticks);
                self.out.push_str("</code>");
            }
            Event::Html(html) | Event::InlineHtml(html) => self.raw_html(html, range.start),
            Event::SoftBreak => {
                self.marks.line_break(range.start);
                self.out.push('\n');
            }
            Event::HardBreak => {
                self.marks.line_break(range.start);
                self.out.push_str("<br>");
            }
            Event::Rule => self.out.push_str("<hr>"),
            // extensions that are not switched on
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(text, range.start),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    /// Line breaks break, comments are nothing, and whatever else is shown as the text it is.
    fn raw_html(&mut self, html: &str, at: usize) {
        if !self.in_comment && is_line_break(html) {
            self.marks.line_break(at);
            self.out.push_str("<br>");
            return;
        }
        if !self.in_comment && html.starts_with("<wbr") {
            return;
        }
        let (mut rest, mut at) = (html, at);
        while !rest.is_empty() {
            let mark = if self.in_comment { "-->" } else { "<!--" };
            let (end, length) = rest.find(mark).map_or((rest.len(), 0), |found| (found, mark.len()));
            let (before, after) = rest.split_at(end);
            if !self.in_comment {
                self.text(before, at);
            }
            self.in_comment ^= length > 0;
            rest = after.get(length..).unwrap_or_default();
            at += end + length;
        }
    }

    /// A heading's anchor: of several with the same text each has its own.
    fn anchor(&mut self, title: &str) -> String {
        let slug = slug(title);
        let mut anchor = slug.clone();
        while self.anchors.contains_key(&anchor) {
            let next = self.anchors.entry(slug.clone()).and_modify(|next| *next += 1).or_default();
            anchor = format!("{slug}-{next}");
        }
        self.anchors.insert(anchor.clone(), 0);
        anchor
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>, rest: &[(Event<'_>, Range<usize>)]) {
        if self.depth == 0 && is_block(tag) {
            self.place_chart(range.start);
            // words of what is blank are not those that follow
            self.marks.close_before(range.start);
        }
        self.depth += u32::from(is_block(tag));
        match tag {
            Tag::Paragraph => self.out.push_str("<p>"),
            Tag::Heading { level, .. } => {
                let anchor = self.anchor(&heading_text(rest));
                let id = if anchor.is_empty() { String::new() } else { format!(" id=\"{}\"", escaped(&anchor)) };
                self.out.push_str(&format!("<{level}{id}>"));
            }
            Tag::BlockQuote(_) => self.out.push_str("<blockquote>"),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => escaped(language),
                    CodeBlockKind::Indented => String::new(),
                };
                let name = if language.is_empty() { "code".to_owned() } else { format!("code, {language}") };
                self.out.push_str(&format!("<pre tabindex=\"0\" role=\"region\" aria-label=\"{name}\"><code>"));
            }
            Tag::List(Some(first)) => self.out.push_str(&format!("<ol start=\"{first}\">")),
            Tag::List(None) => self.out.push_str("<ul>"),
            Tag::Item => self.out.push_str("<li>"),
            Tag::Table(alignments) => self.start_table(alignments, &range),
            Tag::TableHead => self.start_row(true, &range),
            Tag::TableRow => self.start_row(false, &range),
            Tag::TableCell => self.start_cell(),
            Tag::Emphasis => self.out.push_str("<em>"),
            Tag::Strong => self.out.push_str("<strong>"),
            Tag::Strikethrough => self.out.push_str("<del>"),
            Tag::Link { dest_url, .. } => self.start_link(dest_url),
            Tag::Image { dest_url, .. } => self.start_image(dest_url),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd, range: Range<usize>) {
        match end {
            TagEnd::Paragraph => self.out.push_str("</p>\n"),
            TagEnd::Heading(level) => self.out.push_str(&format!("</{level}>\n")),
            TagEnd::BlockQuote(_) => self.out.push_str("</blockquote>\n"),
            TagEnd::CodeBlock => self.out.push_str("</code></pre>\n"),
            TagEnd::List(ordered) => self.out.push_str(if ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item => self.out.push_str("</li>\n"),
            TagEnd::Table => {
                self.table = None;
                self.out.push_str("</tbody></table></div>\n");
            }
            TagEnd::TableHead | TagEnd::TableRow => self.end_row(),
            TagEnd::TableCell => self.end_cell(range.end),
            TagEnd::Emphasis => self.out.push_str("</em>"),
            TagEnd::Strong => self.out.push_str("</strong>"),
            TagEnd::Strikethrough => self.out.push_str("</del>"),
            TagEnd::Link => self.end_link(),
            TagEnd::HtmlBlock => self.in_comment = false,
            TagEnd::Image => {
                self.image = self.image.saturating_sub(1);
                self.out.push_str("</span>");
            }
            _ => {}
        }
        if is_block_end(end) {
            self.depth = self.depth.saturating_sub(1);
            if self.depth == 0 {
                self.after_block(range);
            }
        }
    }

    fn line(&self, at: usize) -> u64 {
        self.lines.position(at).0
    }

    /// Notes on a block's lines that stand beside no row of it.
    fn after_block(&mut self, range: Range<usize>) {
        self.marks.close_before(range.end);
        let last = range.end.saturating_sub(1).max(range.start);
        let lines = self.line(range.start)..=self.line(last);
        let notes = self.notes(lines, true);
        if !notes.is_empty() {
            self.out.push_str(&format!("<aside class=\"notes\" aria-label=\"Findings\">{notes}</aside>\n"));
        }
    }

    fn start_table(&mut self, alignments: &[Alignment], range: &Range<usize>) {
        let first = self.line(range.start);
        let lines = first..=self.line(range.end.saturating_sub(1).max(range.start));
        let edited = self.beside.edited.iter().any(|(line, _)| lines.contains(line));
        let has_notes = edited || !self.marks.of_lines(lines).is_empty();
        // a narrow screen shows a label above its value; of more columns nothing would say which is which
        let class = if alignments.len() <= 2 { "table pairs" } else { "table" };
        let alignments = alignments.to_vec();
        self.table = Some(Table { alignments, has_notes, column: 0, in_head: false, line: first });
        let opening = format!("<div class=\"{class}\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>");
        self.out.push_str(&opening);
    }

    fn start_row(&mut self, in_head: bool, range: &Range<usize>) {
        let line = self.line(range.start);
        if let Some(table) = &mut self.table {
            (table.column, table.in_head, table.line) = (0, in_head, line);
        }
        self.out.push_str(if in_head { "<thead><tr>" } else { "<tr>" });
    }

    fn start_cell(&mut self) {
        let Some(table) = &mut self.table else { return };
        let align = match table.alignments.get(table.column) {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            _ => "",
        };
        let element = match (table.in_head, table.column) {
            (true, _) => "th scope=\"col\"",
            (false, 0) => "th scope=\"row\"",
            _ => "td",
        };
        self.out.push_str(&format!("<{element}{align}>"));
    }

    fn end_cell(&mut self, end: usize) {
        self.marks.close_before(end);
        let Some(table) = &mut self.table else { return };
        self.out.push_str(if table.in_head || table.column == 0 { "</th>" } else { "</td>" });
        table.column += 1;
    }

    fn end_row(&mut self) {
        let Some(table) = &self.table else { return };
        let (in_head, has_notes, line) = (table.in_head, table.has_notes, table.line);
        if has_notes && in_head {
            self.out.push_str("<th scope=\"col\">Findings</th>");
        } else if has_notes {
            let notes = self.notes(line..=line, false);
            self.out.push_str(&format!("<td class=\"notes\">{notes}</td>"));
        }
        self.out.push_str(if in_head { "</tr></thead><tbody>\n" } else { "</tr>\n" });
    }

    /// The notes on some lines that have not been said yet.
    fn notes(&mut self, lines: std::ops::RangeInclusive<u64>, with_line: bool) -> String {
        let edited = self.beside.edited.iter().filter(|(line, _)| !with_line && lines.contains(line));
        let mut notes: String = edited.map(|(_, what)| format!("<p class=\"edited\">{}</p>", escaped(what))).collect();
        for (index, remark) in self.marks.of_lines(lines) {
            if self.said.insert(index) {
                notes.push_str(&note(index, remark, self.marks.is_marked(index), with_line));
            }
        }
        notes
    }

    /// Puts the chart where the page has it, before the first block behind that place.
    fn place_chart(&mut self, before: usize) {
        if self.chart.is_some_and(|chart| chart <= before) {
            self.chart = None;
            self.draw();
        }
    }

    /// Shows the run's picture once: chart and image of a page are the same here.
    fn draw(&mut self) {
        if !std::mem::replace(&mut self.drawn, true) {
            self.out.push_str(self.beside.chart);
        }
    }

    fn text(&mut self, text: &str, at: usize) {
        for piece in self.marks.cut(text, at) {
            let text = escaped_text(&piece.text);
            match piece.mark.filter(|_| self.image == 0) {
                Some((index, first)) => {
                    let word = self.marks.weight(index).word();
                    let id = if first { format!(" id=\"claim.{index}\"") } else { String::new() };
                    let mark = format!("<mark class=\"{word}\"{id} aria-describedby=\"note.{index}\">{text}</mark>");
                    self.out.push_str(&mark);
                }
                None => self.out.push_str(&text),
            }
        }
    }

    fn start_link(&mut self, to: &str) {
        let target = self.beside.links.target(to);
        self.links.push(target.is_some());
        if let Some(target) = target {
            self.out.push_str(&format!("<a href=\"{}\" rel=\"noreferrer\">", escaped(&target)));
        }
    }

    fn end_link(&mut self) {
        let leads = self.links.pop().unwrap_or_default();
        self.out.push_str(if leads { "</a>" } else { "" });
    }

    /// Shows the run's own picture; any other image would be loaded from somewhere and is named instead.
    fn start_image(&mut self, from: &str) {
        self.image += 1;
        if from.trim_start_matches("./") != FILE_NAME {
            self.out.push_str(&format!("<span class=\"image\">image {}: ", escaped(from)));
            return;
        }
        self.draw();
        self.out.push_str("<span hidden>");
    }

    /// Remarks on lines without a block, such as the front matter's, stand above everything.
    fn finish(mut self) -> String {
        let notes = self.notes(0..=u64::MAX, true);
        match notes.is_empty() {
            true => self.out,
            false => {
                format!("<aside class=\"notes\" aria-label=\"Findings on the page\">{notes}</aside>\n{}", self.out)
            }
        }
    }
}

fn is_block(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::List(_)
            | Tag::Item
            | Tag::Table(_)
            | Tag::HtmlBlock
    )
}

fn is_block_end(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::CodeBlock
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::Table
            | TagEnd::HtmlBlock
    )
}

/// The text of the heading that has just begun.
fn heading_text(rest: &[(Event<'_>, Range<usize>)]) -> String {
    let inside = rest.iter().take_while(|(event, _)| !matches!(event, Event::End(TagEnd::Heading(_))));
    inside
        .filter_map(|(event, _)| match event {
            Event::Text(text) | Event::Code(text) => Some(text.to_string()),
            _ => None,
        })
        .collect()
}
