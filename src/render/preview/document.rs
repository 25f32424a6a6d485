//! The frame of every preview file: head, style, policy.

use crate::render::xml::escaped;

/// Says what wrote a file: a folder with such an index may be written over.
const GENERATOR: &str = "<meta name=\"generator\" content=\"sweepdoc preview\">";

/// Nothing is loaded but pictures beside the page, nothing runs, nothing is sent anywhere.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("style.css");

/// A whole HTML document; `main` and `navigation` are HTML, `title` is text.
pub(super) fn document(title: &str, navigation: &str, main: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         {GENERATOR}\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n\
         <header><nav aria-label=\"Preview\">{navigation}</nav></header>\n<main id=\"main\" tabindex=\"-1\">\n{main}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// True for the text of a preview file.
pub fn is_preview(html: &str) -> bool {
    html.contains(GENERATOR)
}
