//! Plain Markdown from an MDX page: for sites and readers without components.

use std::ops::Range;

use markdown::mdast::{MdxJsxFlowElement, Node};

use super::input::picture as image;
use super::mdx::{self, components};
use crate::model::{Fault, Result};

/// Takes imports, exports and components out of a page, but for what stands between their tags; a picture stands where the chart
/// stood.
///
/// A heading whose section held nothing else goes with them. Markers `{/* … */}` become `<!-- … -->`.
///
/// # Errors
///
/// Fails when the page does not compile as MDX.
pub fn without_mdx(page: &str, picture: Option<&str>) -> Result<String> {
    let tree = mdx::parse(page).map_err(|problem| Fault::new(format!("line {}: {}", problem.line, problem.message)))?;
    let chart = components::chart(&tree);
    // a template may have placed it already
    let picture = picture.map(image).filter(|image| !page.contains(image.as_str()));
    let mut taken = Taken { chart, picture, edits: Vec::new() };
    taken.out_of(tree.children().map_or(&[], Vec::as_slice));
    let mut text = page.to_owned();
    for (range, replacement) in taken.edits.into_iter().rev() {
        text.replace_range(range, &replacement);
    }
    Ok(with_single_gaps(&text))
}

/// What is taken out of a page.
struct Taken<'a> {
    chart: Option<&'a MdxJsxFlowElement>,
    /// What stands in place of the chart, until it does.
    picture: Option<String>,
    /// Ranges of the page in their order, with what replaces each.
    edits: Vec<(Range<usize>, String)>,
}

impl<'a> Taken<'a> {
    fn out_of(&mut self, blocks: &'a [Node]) {
        for (at, block) in blocks.iter().enumerate() {
            let Some(range) = range(block) else { continue };
            match block {
                Node::MdxjsEsm(_) => self.edits.push((range, String::new())),
                Node::MdxJsxFlowElement(component) => self.component(component, range),
                Node::MdxFlowExpression(e) => self.edits.push((range, comment(&e.value))),
                Node::Heading(_)
                    if self.picture.is_none() && is_left_empty(blocks.get(at + 1..).unwrap_or_default()) =>
                {
                    self.edits.push((range, String::new()));
                }
                _ => {}
            }
        }
    }

    /// The chart goes, of any other component its tags.
    fn component(&mut self, component: &'a MdxJsxFlowElement, range: Range<usize>) {
        if self.chart.is_some_and(|chart| std::ptr::eq(chart, component)) {
            self.edits.push((range, self.picture.take().unwrap_or_default()));
            return;
        }
        let mut tags = components::tags(component).into_iter();
        self.edits.extend(tags.next().map(|tag| (tag, String::new())));
        self.out_of(&component.children);
        self.edits.extend(tags.map(|tag| (tag, String::new())));
    }
}

fn range(node: &Node) -> Option<Range<usize>> {
    node.position().map(|position| position.start.offset..position.end.offset)
}

/// True when a section, given the blocks after its heading, holds components and nothing else.
fn is_left_empty(after: &[Node]) -> bool {
    let section = after.iter().take_while(|block| !matches!(block, Node::Heading(_)));
    let mut components = 0;
    for block in section {
        match block {
            Node::MdxJsxFlowElement(component) if holds_nothing(component) => components += 1,
            _ => return false,
        }
    }
    components > 0
}

/// True for a component without anything but components in it.
fn holds_nothing(component: &MdxJsxFlowElement) -> bool {
    let mut inside = component.children.iter();
    inside.all(|child| matches!(child, Node::MdxJsxFlowElement(component) if holds_nothing(component)))
}

fn comment(expression: &str) -> String {
    let inner = expression.trim().trim_start_matches("/*").trim_end_matches("*/");
    if inner.is_empty() { String::new() } else { format!("<!--{inner}-->") }
}

/// Removes the empty lines that taken-out blocks leave: at most one between blocks, outside code.
fn with_single_gaps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<String> = None;
    let mut blank = false;
    for line in text.lines() {
        let marks: String = line.trim_start().chars().take_while(|c| *c == '`').collect();
        match &fence {
            None if marks.len() >= 3 => fence = Some(marks),
            Some(open) if marks.len() >= open.len() => fence = None,
            _ => {}
        }
        let empty = line.trim().is_empty() && fence.is_none();
        if !(empty && blank) {
            out.push_str(line);
            out.push('\n');
        }
        blank = empty;
    }
    out
}
