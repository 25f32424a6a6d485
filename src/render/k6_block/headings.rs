/// The headings of k6's summary in the order printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Heading {
    Custom,
    Http,
    Execution,
    Network,
    Browser,
    WebVitals,
    Grpc,
    WebSocket,
}

impl Heading {
    /// The heading k6 prints a metric under, by prefix of its name; `None` for those compact mode leaves out.
    ///
    /// From k6's `internal/output/summary/data.go`, quirks included: a custom `vus_made` stands under `EXECUTION`, and nothing
    /// whose name begins with `checks` or `group_duration` is printed.
    pub fn of(name: &str) -> Option<Self> {
        const LEFT_OUT: [&str; 8] = [
            "checks",
            "group_duration",
            "http_req_blocked",
            "http_req_connecting",
            "http_req_receiving",
            "http_req_sending",
            "http_req_tls_handshaking",
            "http_req_waiting",
        ];
        // in k6's order: the first that fits counts
        const PREFIXES: [(&str, Heading); 13] = [
            ("http_reqs", Heading::Http),
            ("http_req_failed", Heading::Http),
            ("http_req_duration", Heading::Http),
            ("vus", Heading::Execution),
            ("iterations", Heading::Execution),
            ("iteration_duration", Heading::Execution),
            ("dropped_iterations", Heading::Execution),
            ("data_sent", Heading::Network),
            ("data_received", Heading::Network),
            ("browser_web_vital_", Heading::WebVitals),
            ("browser_", Heading::Browser),
            ("grpc_", Heading::Grpc),
            ("ws_", Heading::WebSocket),
        ];
        if LEFT_OUT.iter().any(|prefix| name.starts_with(prefix)) {
            return None;
        }
        let known = PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
        Some(known.map_or(Heading::Custom, |(_, heading)| *heading))
    }

    /// As printed.
    pub fn title(self) -> &'static str {
        match self {
            Heading::Custom => "CUSTOM",
            Heading::Http => "HTTP",
            Heading::Execution => "EXECUTION",
            Heading::Network => "NETWORK",
            Heading::Browser => "BROWSER",
            Heading::WebVitals => "WEB_VITALS",
            Heading::Grpc => "GRPC",
            Heading::WebSocket => "WEBSOCKET",
        }
    }
}

/// What names are sorted by: k6 compares them as text of a language, where signs come before digits before letters and case
/// decides last. A submetric, which shares its parent's name, follows it directly.
pub(super) fn collation_key(name: &str) -> (Vec<(u8, char)>, Option<String>, String) {
    let (parent, tags) = name.split_once('{').map_or((name, None), |(parent, tags)| (parent, Some(tags.to_owned())));
    let class = |c: char| match c {
        _ if c.is_alphabetic() => 2,
        _ if c.is_numeric() => 1,
        _ => 0,
    };
    let folded = parent.chars().flat_map(char::to_lowercase).map(|c| (class(c), c)).collect();
    // small letters before capitals, the other way round than their codes
    let case = parent.chars().map(|c| if c.is_uppercase() { 'b' } else { 'a' }).collect();
    (folded, tags, case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_go_by_prefix() {
        for (name, heading) in [
            ("update_human_duration", Some(Heading::Custom)),
            ("http_reqs_slow", Some(Heading::Http)),
            ("vus_made", Some(Heading::Execution)),
            ("data_sent", Some(Heading::Network)),
            ("browser_web_vital_lcp", Some(Heading::WebVitals)),
            ("browser_data_sent", Some(Heading::Browser)),
            ("http_req_waiting", None),
            ("checks_of_mine", None),
        ] {
            assert_eq!(Heading::of(name), heading, "{name}");
        }
    }

    #[test]
    fn names_sort_as_text_with_submetrics_after_their_parent() {
        let mut names = ["vus_max", "a1", "http_req{b:1}", "B", "a_1", "vus", "http_req_x", "http_req", "b", "ab"];
        names.sort_by_cached_key(|name| collation_key(name));
        assert_eq!(names, ["a_1", "a1", "ab", "b", "B", "http_req", "http_req{b:1}", "http_req_x", "vus", "vus_max"]);
    }
}
