//! The components of a page: which one shows the chart, and what stands between the tags of others.

use std::ops::Range;

use markdown::mdast::{AttributeContent, AttributeValue, MdxJsxFlowElement, Node};

/// Where the page has its chart: the component that is given the data of an imported JSON file, else the first that holds
/// nothing. A component around text is none.
pub(in crate::render) fn chart(page: &Node) -> Option<&MdxJsxFlowElement> {
    let data: Vec<&str> = page.children().into_iter().flatten().flat_map(json_imports).collect();
    let all = components(page);
    let is_given = |component: &&MdxJsxFlowElement| uses(component).any(|word| data.contains(&word));
    let holds_nothing = |component: &&MdxJsxFlowElement| component.children.is_empty() && !is_html(component);
    all.iter().copied().find(is_given).or_else(|| all.iter().copied().find(holds_nothing))
}

/// The bytes of a component's tags: of what stands between them nothing.
pub(in crate::render) fn tags(component: &MdxJsxFlowElement) -> Vec<Range<usize>> {
    let place = |node: Option<&Node>| node.and_then(Node::position).map(|p| p.start.offset..p.end.offset);
    let Some(whole) = component.position.as_ref().map(|p| p.start.offset..p.end.offset) else { return Vec::new() };
    match (place(component.children.first()), place(component.children.last())) {
        (Some(first), Some(last)) => vec![whole.start..first.start, last.end..whole.end],
        _ => vec![whole],
    }
}

/// Every component of a page in the order of their first tags.
fn components(node: &Node) -> Vec<&MdxJsxFlowElement> {
    let mut found = Vec::new();
    for child in node.children().into_iter().flatten() {
        if let Node::MdxJsxFlowElement(component) = child {
            found.push(component);
        }
        found.extend(components(child));
    }
    found
}

/// An element of HTML, such as `<br/>`: components begin with a capital letter or are a part of something.
fn is_html(component: &MdxJsxFlowElement) -> bool {
    let name = component.name.as_deref().unwrap_or_default();
    !name.contains('.') && !name.starts_with(char::is_uppercase)
}

/// The names under which a block of imports has JSON files.
fn json_imports(block: &Node) -> impl Iterator<Item = &str> {
    let text = match block {
        Node::MdxjsEsm(program) => program.value.as_str(),
        _ => "",
    };
    text.lines().filter_map(|line| {
        let (name, module) = line.trim().strip_prefix("import ")?.split_once(" from ")?;
        let file = module.trim_end_matches(';').trim().trim_matches(['"', '\'']);
        file.ends_with(".json").then_some(name.trim())
    })
}

/// The words of the expressions a component is given.
fn uses(component: &MdxJsxFlowElement) -> impl Iterator<Item = &str> {
    let expressions = component.attributes.iter().filter_map(|attribute| match attribute {
        AttributeContent::Expression(expression) => Some(expression.value.as_str()),
        AttributeContent::Property(property) => match &property.value {
            Some(AttributeValue::Expression(expression)) => Some(expression.value.as_str()),
            _ => None,
        },
    });
    expressions.flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')))
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn chart_of(page: &str) -> Option<String> {
        let tree = parse(page).unwrap();
        chart(&tree).and_then(|component| component.name.clone())
    }

    #[test]
    fn the_chart_is_what_is_given_the_data_of_a_json_file() {
        let imports = "import Out from \"./output.json\";\nimport { Chart, Badge } from \"@/x\";\n\n";
        for (body, name) in [
            ("<Badge />\n\n<Chart data={Out} />\n", Some("Chart")),
            ("<Badge of={Output} />\n\n<Tabs>\n<Tab>\n<Chart data={[...Out]} />\n</Tab>\n</Tabs>\n", Some("Chart")),
            ("<Badge />\n\n<Chart {...Out} />\n", Some("Chart")),
            ("<Note>\ntext\n</Note>\n\n<Badge />\n", Some("Badge")),
            ("<br/>\n\n<Charts.Line />\n", Some("Charts.Line")),
            ("<details>\n<summary>s</summary>\ntext\n</details>\n", None),
            ("Text.\n", None),
        ] {
            assert_eq!(chart_of(&format!("{imports}{body}")).as_deref(), name, "{body}");
        }
    }

    #[test]
    fn tags_leave_what_stands_between_them() {
        let page = "<Note a=\"b\">\n\n**in** it\n\nmore\n\n</Note>\n\n<Chart />\n";
        let tree = parse(page).unwrap();
        let found: Vec<&str> = components(&tree).into_iter().flat_map(tags).map(|range| &page[range]).collect();
        assert_eq!(found, ["<Note a=\"b\">\n\n", "\n\n</Note>", "<Chart />"]);
    }
}
