use crate::model::{Fault, Result};

/// Longest name a file system takes for one folder.
const LONGEST_NAME: usize = 255;

/// What the placeholders of a [`Pattern`] stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// `{product}`.
    pub product: String,
    /// `{version}`.
    pub version: String,
    /// `{target}`: safe as a folder name.
    pub target: String,
    /// `{words}`: the target with spaces.
    pub words: String,
}

impl Names {
    fn get(&self, placeholder: &str) -> Option<&str> {
        match placeholder {
            "product" => Some(&self.product),
            "version" => Some(&self.version),
            "target" => Some(&self.target),
            "words" => Some(&self.words),
            _ => None,
        }
    }
}

/// A text with the placeholders `{product}`, `{version}`, `{target}` and `{words}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pattern(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Placeholder(String),
}

/// The placeholders a pattern may hold.
const PLACEHOLDERS: [&str; 4] = ["product", "version", "target", "words"];

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// Returns what is wrong, without a place, for an unknown placeholder or a brace without its pair.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((literal, after)) = rest.split_once('{') {
            let (name, tail) = after.split_once('}').ok_or_else(|| format!("`{text}` has a `{{` without its `}}`"))?;
            if !PLACEHOLDERS.contains(&name) {
                let known = PLACEHOLDERS.map(|p| format!("`{{{p}}}`")).join(", ");
                return Err(format!("`{{{name}}}` is no placeholder, expected one of {known}"));
            }
            pieces.push(Piece::Literal(literal.to_owned()));
            pieces.push(Piece::Placeholder(name.to_owned()));
            rest = tail;
        }
        pieces.push(Piece::Literal(rest.to_owned()));
        Ok(Pattern(pieces))
    }

    /// True when the placeholder occurs.
    pub fn mentions(&self, placeholder: &str) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Placeholder(name) if name == placeholder))
    }

    /// The folder every path of this pattern lies below: what stands before the first placeholder, up to its last `/`.
    pub fn fixed_folder(&self) -> &str {
        let fixed = match self.0.first() {
            Some(Piece::Literal(text)) => text.as_str(),
            _ => "",
        };
        fixed.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The text with every placeholder replaced. Values are not looked at again: a target called `{version}` stays that.
    pub fn fill(&self, names: &Names) -> String {
        let part = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Placeholder(name) => names.get(name).unwrap_or_default().to_owned(),
        };
        self.0.iter().map(part).collect()
    }
}

/// Accepts a name that comes from data or folders as one part of a path, and returns it.
///
/// # Errors
///
/// Fails on an empty name, one with a path separator, a control character or `..`, a lone `.`, a drive's colon, and one
/// longer than 255 bytes: such a name could write outside the output folder.
pub fn safe_name(name: &str) -> Result<&str> {
    let problem = if name.trim().is_empty() {
        Some("is empty")
    } else if name.contains(['/', '\\', ':']) {
        Some("contains a path separator")
    } else if name.chars().any(char::is_control) {
        Some("contains a control character")
    } else if name.contains("..") || name == "." {
        Some("is a relative path")
    } else if name.len() > LONGEST_NAME {
        Some("is longer than 255 bytes")
    } else {
        None
    };
    match problem {
        None => Ok(name),
        Some(problem) => Err(Fault::new(format!("target name `{}` {problem}", name.escape_debug()))
            .hint("name the target with `--target`; a name is one folder, such as `manipulate_user`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names {
            product: "ZITADEL".into(),
            version: "v4.17.1".into(),
            target: "manipulate_user".into(),
            words: "manipulate user".into(),
        }
    }

    #[test]
    fn pattern_fills_every_placeholder() {
        let pattern = Pattern::parse("{words} benchmark of {product} {version}: {target}").unwrap();
        assert_eq!(pattern.fill(&names()), "manipulate user benchmark of ZITADEL v4.17.1: manipulate_user");
        assert!(pattern.mentions("target") && !Pattern::parse("{words}").unwrap().mentions("target"));
    }

    #[test]
    fn pattern_does_not_expand_what_it_filled_in() {
        let names = Names { target: "{version}".into(), ..names() };
        assert_eq!(Pattern::parse("{target}/{version}").unwrap().fill(&names), "{version}/v4.17.1");
    }

    #[test]
    fn pattern_names_an_unknown_placeholder_and_a_lone_brace() {
        let unknown = Pattern::parse("{verson}/x").unwrap_err();
        assert_eq!(
            unknown,
            "`{verson}` is no placeholder, expected one of `{product}`, `{version}`, `{target}`, `{words}`"
        );
        assert_eq!(Pattern::parse("a{version").unwrap_err(), "`a{version` has a `{` without its `}`");
    }

    #[test]
    fn safe_name_refuses_everything_that_could_leave_the_folder() {
        for bad in ["", "  ", "../x", "..", ".", "a/b", "a\\b", "C:", "a\0b", "a\nb", "a\u{1b}[31m", "x..y"] {
            assert!(safe_name(bad).is_err(), "{bad:?} was accepted");
        }
        assert!(safe_name(&"x".repeat(256)).is_err());
        for good in ["manipulate_user", "v4.17.1", "user info", "größe", ".hidden", "-x"] {
            assert_eq!(safe_name(good), Ok(good));
        }
    }

    #[test]
    fn safe_name_shows_control_characters_escaped() {
        assert_eq!(safe_name("a\nb").unwrap_err().to_string(), "target name `a\\nb` contains a control character");
    }
}
