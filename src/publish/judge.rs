//! What an existing page allows.

use serde_json::Value;

/// What may be done with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There is none yet.
    New,
    /// It already says the same, byte for byte.
    Same,
    /// It is what was generated before: nobody has touched it.
    Untouched,
    /// Somebody wrote or edited it; it stays as it is.
    Edited,
}

/// Judges an existing page against the new text. `remembered` is the fingerprint of what was last written there.
///
/// Without it (a page from before sweepdoc, or with its evidence lost) whatever differs counts as a person's work.
pub fn judge(existing: Option<&[u8]>, new: &str, remembered: Option<&str>) -> Verdict {
    match existing {
        None => Verdict::New,
        Some(bytes) if bytes == new.as_bytes() => Verdict::Same,
        Some(bytes) if remembered == Some(fingerprint(bytes).as_str()) => Verdict::Untouched,
        Some(_) => Verdict::Edited,
    }
}

/// Fingerprint of a page's bytes, kept in the evidence as `generated.page`.
pub fn fingerprint(bytes: &[u8]) -> String {
    format!("xxh3:{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}

/// The fingerprint an `evidence.json` remembers; `None` when it has none or is not readable, which makes the page a
/// person's.
pub fn remembered(evidence: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(evidence).ok()?;
    value.get("generated")?.get("page")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_that_is_what_was_generated_may_be_replaced() {
        let written = fingerprint(b"old");
        assert_eq!(judge(None, "new", None), Verdict::New);
        assert_eq!(judge(Some(b"new"), "new", None), Verdict::Same);
        assert_eq!(judge(Some(b"old"), "new", Some(&written)), Verdict::Untouched);
        assert_eq!(judge(Some(b"old "), "new", Some(&written)), Verdict::Edited);
        assert_eq!(judge(Some(b"old"), "new", None), Verdict::Edited);
    }

    #[test]
    fn evidence_without_a_page_remembers_nothing() {
        assert_eq!(remembered(b"{}"), None);
        assert_eq!(remembered(b"not json"), None);
        assert_eq!(remembered(br#"{"generated":{"page":"xxh3:1"}}"#), Some("xxh3:1".to_owned()));
    }
}
