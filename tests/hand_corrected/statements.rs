//! What a person might write about a run, each figure with a false one beside it.

use sweepdoc::notation::count;

use crate::truth::{Cause, Truth};

/// A sentence with `{}` for each figure.
pub struct Statement {
    template: String,
    /// True and false words of each.
    pub figures: Vec<(String, String)>,
}

impl Statement {
    fn new(template: impl Into<String>, figures: Vec<(String, String)>) -> Self {
        Statement { template: template.into(), figures }
    }

    /// The true sentence.
    pub fn as_is(&self) -> String {
        self.filled(None)
    }

    /// The sentence with one figure false.
    pub fn with_false(&self, figure: usize) -> String {
        self.filled(Some(figure))
    }

    fn filled(&self, one_false: Option<usize>) -> String {
        let figure = |(index, (right, wrong)): (usize, &(String, String))| {
            if one_false == Some(index) { wrong.clone() } else { right.clone() }
        };
        let mut figures = self.figures.iter().enumerate().map(figure);
        let mut parts = self.template.split("{}");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + &figures.next().unwrap_or_default() + part)
    }
}

/// A count and one more.
fn number(n: u64) -> (String, String) {
    (count::write(n), count::write(n + 1))
}

/// A share as k6 prints it, and one that is neither it nor the rounded one.
fn share(part: u64, whole: u64) -> (String, String) {
    let cut = part * 10_000 / whole;
    let write = |hundredths: u64| format!("{}.{:02}%", hundredths / 100, hundredths % 100);
    (write(cut), write(cut + 3))
}

/// A time of day, and so many seconds later.
fn clock(second: i64, later: i64) -> (String, String) {
    let write = |second: i64| {
        let of_day = second.rem_euclid(86_400);
        format!("{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)
    };
    (write(second), write(second + later))
}

fn minute(second: i64) -> (String, String) {
    let write = |second: i64| format!("{:02}:{:02}", second.rem_euclid(86_400) / 3600, second / 60 % 60);
    (write(second), write(second + 60))
}

/// Seconds, and a few more.
fn seconds(n: i64) -> (String, String) {
    (n.to_string(), (n + 4).to_string())
}

/// Statements of every sort about a run; those about a cause for each that the run has.
pub fn statements(truth: &Truth) -> Vec<Statement> {
    let mut all = vec![
        Statement::new(
            "{} of {} requests failed ({}).",
            vec![number(truth.failed), number(truth.requests), share(truth.failed, truth.requests)],
        ),
        Statement::new(
            "{} of {} checks failed ({}).",
            vec![number(truth.failed_checks), number(truth.checks), share(truth.failed_checks, truth.checks)],
        ),
        by_check(truth),
        Statement::new("{} iterations completed.", vec![number(truth.iterations)]),
        Statement::new("{} interrupted.", vec![("No iteration was".to_owned(), "2 iterations were".to_owned())]),
        Statement::new("The run went from {} to {} UTC.", vec![clock(truth.start, 7), clock(truth.end, -7)]),
    ];
    truth.causes.iter().for_each(|cause| all.extend(about(cause, truth)));
    all.extend(together(truth));
    all
}

fn by_check(truth: &Truth) -> Statement {
    let name = |name: &str| name.replace(" is status ok", "").replace('"', "");
    let named = truth.by_name.iter().map(|(check, _)| format!("{} ({{}})", name(check))).collect::<Vec<_>>();
    let figures = truth.by_name.iter().map(|(_, fails)| number(*fails)).collect();
    Statement::new(format!("Failed checks: {}.", named.join(", ")), figures)
}

fn about(cause: &Cause, truth: &Truth) -> Vec<Statement> {
    let Cause { words, fault, count, first, last } = cause;
    let long = *last > *first;
    let end = if long { -1 } else { 1 };
    let mut all = vec![
        Statement::new(
            format!("{{}} {words} ({{}} of {}).", truth.failed),
            vec![number(*count), share(*count, truth.failed)],
        ),
        Statement::new(
            format!("The {words} lie between {{}} and {{}} UTC."),
            vec![clock(*first, 1), clock(*last, end)],
        ),
        Statement::new(
            format!("The first of the {words} came {{}}s into the run."),
            vec![seconds(first - truth.start)],
        ),
        Statement::new(format!("No {words} before {{}}."), vec![clock(*first, 1)]),
        Statement::new(format!("No {words} after {{}}."), vec![clock(*last, -1)]),
    ];
    if last - first >= 2 {
        let length = vec![seconds(last - first + 1)];
        all.push(Statement::new(format!("The {words} came within {{}} seconds."), length));
    }
    let Some((busiest, most)) = fault.and_then(|fault| truth.busiest_minute(fault)) else { return all };
    all.push(Statement::new(format!("The {words} peaked at {{}} at {{}}."), vec![number(most), minute(busiest)]));
    // where each spoiled answer failed one check and nothing else did, the server's record tells how many checks failed when
    if *fault == Some("503") && truth.server_saw_all() {
        let between = truth.spoiled_between(*first, *last);
        let (from, to) = (clock(*first, 0).0, clock(*last, 0).0);
        all.push(Statement::new(format!("{{}} failed checks between {from} and {to}."), vec![number(between)]));
    }
    all
}

/// The two largest causes in one sum.
fn together(truth: &Truth) -> Option<Statement> {
    let mut causes: Vec<&Cause> = truth.causes.iter().collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.count));
    let [a, b, ..] = causes.as_slice() else { return None };
    let figures = vec![number(a.count), number(b.count), number(a.count + b.count)];
    Some(Statement::new(format!("The {{}} {} and the {{}} {} make {{}} failures.", a.words, b.words), figures))
}
