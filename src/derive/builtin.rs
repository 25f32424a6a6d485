//! The metrics k6 defines itself.

use crate::model::{Contains, Kind};

/// Kind and unit of a metric k6 defines, by name; `None` for a custom one.
///
/// Source: `metrics/builtin.go`, `lib/netext/grpcext`, `internal/js/modules/k6/browser/k6ext/metrics.go`.
pub fn builtin(name: &str) -> Option<(Kind, Contains)> {
    use {Contains::*, Kind::*};
    Some(match name {
        "vus" | "vus_max" => (Gauge, Default),
        "iterations" | "dropped_iterations" | "http_reqs" => (Counter, Default),
        "checks" | "http_req_failed" | "browser_http_req_failed" => (Rate, Default),
        "data_sent" | "data_received" | "browser_data_sent" | "browser_data_received" => (Counter, Data),
        "ws_sessions" | "ws_msgs_sent" | "ws_msgs_received" => (Counter, Default),
        "grpc_streams" | "grpc_streams_msgs_sent" | "grpc_streams_msgs_received" => (Counter, Default),
        "browser_web_vital_cls" => (Trend, Default),
        "iteration_duration"
        | "group_duration"
        | "http_req_duration"
        | "http_req_blocked"
        | "http_req_connecting"
        | "http_req_tls_handshaking"
        | "http_req_sending"
        | "http_req_waiting"
        | "http_req_receiving"
        | "ws_session_duration"
        | "ws_connecting"
        | "ws_ping"
        | "grpc_req_duration"
        | "browser_http_req_duration"
        | "browser_web_vital_ttfb"
        | "browser_web_vital_fcp"
        | "browser_web_vital_lcp"
        | "browser_web_vital_fid"
        | "browser_web_vital_inp" => (Trend, Time),
        _ => return None,
    })
}

/// Built-in trends whose values are always kept; the others only when a log or summary printed them.
pub fn always_kept(name: &str) -> bool {
    matches!(name, "http_req_duration" | "iteration_duration")
}
