//! Where the links of a page lead within a preview.

use std::collections::BTreeMap;

use super::inline::{is_web, link};

/// The pages of a preview as one of them sees them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Links<'a> {
    /// The page's own file, with `/`, as the keys of `pages`.
    pub page: &'a str,
    /// From the page's HTML file to the folder of the preview: `../` as often as it takes.
    pub up: &'a str,
    /// HTML files below that folder by the files of their pages; `None` where there is nothing to lead to.
    pub pages: Option<&'a BTreeMap<String, String>>,
}

impl Links<'_> {
    /// What a link of the page leads to: the web, mail, a place on the page or another page of the preview. `None` for anything
    /// else: what is not in the preview cannot be followed from it.
    pub(super) fn target(&self, to: &str) -> Option<String> {
        let to = to.trim();
        if to.starts_with('#') || is_web(to) {
            return Some(to.to_owned());
        }
        let (path, place) = to.find('#').map_or((to, ""), |at| to.split_at(at));
        let path = path.split('?').next().unwrap_or_default();
        let file = self.pages?.get(&self.page_at(path)?)?;
        Some(format!("{}{}{place}", self.up, link(file)))
    }

    /// The page that a path leads to from this one, by its file: sites leave out its extension, and `index`.
    fn page_at(&self, path: &str) -> Option<String> {
        if path.starts_with('/') {
            return None;
        }
        let mut parts: Vec<&str> = self.page.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        let at = parts.join("/");
        let index = if at.is_empty() { "index".to_owned() } else { format!("{at}/index") };
        let names = [at.as_str(), index.as_str()];
        let names = names.into_iter().flat_map(|name| ["", ".mdx", ".md"].map(|end| format!("{name}{end}")));
        names.into_iter().find(|name| self.pages.is_some_and(|pages| pages.contains_key(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_preview_to_the_web_or_nowhere() {
        let pages: BTreeMap<String, String> = [
            ("v1/search/index.mdx", "pages/v1/search/index.html"),
            ("v1/sign in/index.md", "pages/v1/sign in/index.html"),
            ("v2/one.mdx", "pages/v2/one.html"),
        ]
        .map(|(file, html)| (file.to_owned(), html.to_owned()))
        .into();
        let links = Links { page: "v1/search/index.mdx", up: "../../../", pages: Some(&pages) };
        for (to, target) in [
            ("../sign in/", Some("../../../pages/v1/sign%20in/index.html")),
            ("../sign in/index.md#k6-output", Some("../../../pages/v1/sign%20in/index.html#k6-output")),
            ("./", Some("../../../pages/v1/search/index.html")),
            ("../../v2/one?x=a:b", Some("../../../pages/v2/one.html")),
            ("#here", Some("#here")),
            ("https://web.example/a?b#c", Some("https://web.example/a?b#c")),
            ("mailto:a@b.example", Some("mailto:a@b.example")),
            ("../unknown/", None),
            ("./output.json", None),
            ("/etc/passwd", None),
            ("../../../../x", None),
            ("HTTP://web.example", Some("HTTP://web.example")),
            ("//web.example", None),
            ("\\\\web.example", None),
            ("/\tweb.example", None),
            ("javascript:x", None),
            (" JavaScript:x", None),
            ("java\tscript:x", None),
            ("data:text/html,x", None),
            ("file:///etc/passwd", None),
            ("x/y:z", None),
            ("", Some("../../../pages/v1/search/index.html")),
        ] {
            assert_eq!(links.target(to).as_deref(), target, "{to}");
        }
        assert_eq!(Links::default().target("../sign in/"), None);
    }
}
