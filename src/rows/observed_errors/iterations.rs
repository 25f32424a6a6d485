use super::quoted::quoted;
use super::words;
use crate::model::Evidence;

/// Most exception texts shown; all are counted.
const SHOWN_TEXTS: usize = 3;

/// Iterations that threw, were cut off or never started; one clause each, none for a count of zero or an unknown one.
pub(super) fn clauses(evidence: &Evidence) -> Vec<String> {
    let iterations = &evidence.iterations;
    let mut clauses = Vec::new();
    if let Some(exceptions) = iterations.exceptions.as_ref().filter(|e| e.count > 0) {
        let texts: Vec<String> =
            exceptions.texts.iter().map(|t| quoted(t)).filter(|t| !t.is_empty()).take(SHOWN_TEXTS).collect();
        let texts = if texts.is_empty() { String::new() } else { format!(": “{}”", texts.join("”, “")) };
        clauses.push(format!("{} ended by an exception{texts}.", counted(exceptions.count)));
    }
    if iterations.exceptions.as_ref().is_some_and(|e| e.outside_iterations) {
        clauses.push(
            "The script threw an exception outside its iterations, in setup, teardown or while it was loaded."
                .to_owned(),
        );
    }
    if iterations.complete == Some(0) {
        clauses.push("No iteration was completed.".to_owned());
    }
    if let Some(n) = iterations.interrupted.filter(|n| *n > 0) {
        clauses.push(format!("{} interrupted before the end.", counted(n)));
    }
    if let Some(n) = iterations.dropped.filter(|n| *n > 0) {
        clauses.push(format!("{} dropped: no VU was free to run them.", counted(n)));
    }
    clauses
}

/// `1 iteration was`, `600 iterations were`.
fn counted(n: u64) -> String {
    if n == 1 { "1 iteration was".to_owned() } else { format!("{} iterations were", words::count(n)) }
}

/// What of it nobody recorded, in words. Dropped iterations are known wherever samples or a summary are.
pub(super) fn unknown(evidence: &Evidence) -> Vec<&'static str> {
    let mut unknown = Vec::new();
    if evidence.iterations.exceptions.is_none() {
        unknown.push("whether iterations ended by an exception (no log)");
    }
    if evidence.iterations.interrupted.is_none() {
        unknown.push("whether iterations were interrupted");
    }
    unknown
}
