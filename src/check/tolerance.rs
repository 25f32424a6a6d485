use super::{Judgement, Severity, Verdict};
use crate::notation::{count, duration, per_second, percent};

impl Judgement {
    /// Makes a figure that is off by no more than `percent` of the data's a rounded one: a note.
    ///
    /// Only where both are one quantity in the same notation: times of day, versions and sentences are right or wrong.
    pub fn tolerate(&mut self, percent: f64) {
        let off = matches!(self.verdict, Verdict::Wrong | Verdict::Contradicted | Verdict::Stale);
        let close = || {
            let (stated, data) = quantities(&self.stated, self.data.as_deref()?)?;
            Some((stated - data).abs() <= data.abs() * percent / 100.0)
        };
        if percent > 0.0 && off && close() == Some(true) {
            self.verdict = Verdict::Rounded;
            self.severity = Some(Severity::Note);
            self.explanation = format!("within the tolerance of {percent} %; {}", self.explanation);
        }
    }
}

/// The values of two texts in the first notation both are written in.
fn quantities(stated: &str, data: &str) -> Option<(f64, f64)> {
    type Reader = fn(&str) -> Option<f64>;
    let readers: [Reader; 4] = [
        |text| count::read(text).map(|count| count as f64),
        |text| duration::read(text)?.value,
        |text| percent::read(text)?.value,
        |text| per_second::read(text)?.value,
    ];
    readers.iter().find_map(|read| Some((read(stated.trim())?, read(data.trim())?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::finding::{Claim, PAGE};

    fn tolerated(stated: &str, data: &str, percent: f64) -> bool {
        let mut judgement = Claim::at((1, 1), PAGE, "rate", "a figure", stated).wrong(data, "k6 output", "as printed");
        judgement.tolerate(percent);
        judgement.verdict == Verdict::Rounded && judgement.severity == Some(Severity::Note)
    }

    #[test]
    fn figures_within_the_tolerance_are_rounded() {
        assert!(tolerated("439", "437", 0.5) && !tolerated("440", "437", 0.5));
        assert!(tolerated("1.01s", "1s", 1.0) && tolerated("3.63%", "3.62%", 1.0) && tolerated("6.21", "6.2", 0.5));
        assert!(!tolerated("437", "437", 0.0), "without a tolerance nothing changes");
    }

    #[test]
    fn what_is_no_quantity_is_right_or_wrong() {
        for (stated, data) in [("v4.17.1", "v4.17.2"), ("13:41 UTC", "13:42 UTC"), ("150 HTTP 503", "151"), ("", "1")] {
            assert!(!tolerated(stated, data, 100.0), "{stated} {data}");
        }
    }
}
