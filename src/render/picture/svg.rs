//! SVG as text: numbers and paths.

use std::fmt::Write;

use crate::render::xml::escaped;

/// A coordinate to a tenth of a unit, without trailing zeros. What is not finite is 0: it has no place in a picture.
pub(super) fn number(value: f64) -> String {
    tenths_as_text(tenths(value))
}

/// A coordinate in tenths of a unit.
fn tenths(value: f64) -> i64 {
    if value.is_finite() { (value * 10.0).round() as i64 } else { 0 }
}

fn tenths_as_text(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, tenth) => format!("{sign}.{tenth}"),
        (whole, tenth) => format!("{sign}{whole}.{tenth}"),
    }
}

/// The `d` of a path, in relative steps between points rounded to a tenth: short, and rounding does not add up.
#[derive(Debug, Default)]
pub(super) struct PathData {
    text: String,
    at: (i64, i64),
    /// The last command, which may be left out when it is repeated.
    command: char,
}

impl PathData {
    /// Goes to a point without drawing.
    pub(super) fn start(&mut self, x: f64, y: f64) {
        self.at = (tenths(x), tenths(y));
        let _ = write!(self.text, "M{}", pair(self.at.0, self.at.1));
        self.command = 'M';
    }

    /// Draws a line to a point.
    pub(super) fn line(&mut self, x: f64, y: f64) {
        let to = (tenths(x), tenths(y));
        let step = pair(to.0 - self.at.0, to.1 - self.at.1);
        match self.command {
            'l' if step.starts_with('-') => self.text.push_str(&step),
            'l' => {
                self.text.push(' ');
                self.text.push_str(&step);
            }
            _ => {
                self.text.push('l');
                self.text.push_str(&step);
            }
        }
        self.command = 'l';
        self.at = to;
    }

    /// Closes what was begun last.
    pub(super) fn close(&mut self) {
        self.text.push('z');
        self.command = 'z';
    }

    /// Adds a closed rectangle.
    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64) {
        let (w, h) = (tenths_as_text(tenths(width)), tenths_as_text(tenths(height)));
        let _ = write!(self.text, "M{}h{w}v{h}h-{w}z", pair(tenths(x), tenths(y)));
        self.command = 'z';
    }

    /// The finished text; empty when nothing was drawn.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

fn pair(x: i64, y: i64) -> String {
    let (x, y) = (tenths_as_text(x), tenths_as_text(y));
    let gap = if y.starts_with('-') { "" } else { " " };
    format!("{x}{gap}{y}")
}

/// A path; nothing for one that draws nothing. `attributes` are names and values that go with it.
pub(super) fn path(class: &str, data: PathData, attributes: &[(&str, String)], title: Option<&str>) -> String {
    let data = data.finish();
    if data.is_empty() {
        return String::new();
    }
    let attributes: String = attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escaped(value))).collect();
    match title {
        Some(title) => {
            format!("<path class=\"{class}\" d=\"{data}\"{attributes}><title>{}</title></path>", escaped(title))
        }
        None => format!("<path class=\"{class}\" d=\"{data}\"{attributes}/>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_tenths_without_idle_digits() {
        let written: Vec<String> = [0.0, -0.04, 12.0, 12.34, -0.5, 0.26, f64::NAN].into_iter().map(number).collect();
        assert_eq!(written, ["0", "0", "12", "12.3", "-.5", ".3", "0"]);
    }

    #[test]
    fn rounding_of_steps_does_not_add_up() {
        let mut data = PathData::default();
        data.start(0.0, 0.0);
        (1..=30).for_each(|i| data.line(f64::from(i) / 3.0, 0.0));
        // thirty steps of a third are ten units
        let text = data.finish();
        let steps: f64 =
            text.trim_start_matches("M0 0l").split(' ').step_by(2).map(|x| x.parse::<f64>().unwrap()).sum();
        assert!((steps - 10.0).abs() < 1e-9, "{text}");
    }

    #[test]
    fn a_rectangle_is_closed_and_a_line_can_follow() {
        let mut data = PathData::default();
        data.rect(1.0, 2.0, 3.0, 4.5);
        data.start(0.0, 0.0);
        data.line(-1.0, 2.0);
        data.line(0.0, -1.0);
        assert_eq!(data.finish(), "M1 2h3v4.5h-3zM0 0l-1 2 1-3");
    }
}
