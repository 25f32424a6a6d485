//! A picture in the making: shapes, texts at both sizes, and the document around them.

use super::label::{Anchor, DENSITIES, Density, Label, Role};
use super::{font, svg, theme};
use crate::render::xml::escaped;

/// Width of every picture; its height depends on what is drawn.
pub(super) const WIDTH: f64 = 760.0;
/// Left end of everything that is drawn over time.
pub(super) const LEFT: f64 = 56.0;
/// Right end of it.
pub(super) const RIGHT: f64 = 744.0;
/// Left end of titles and notes.
pub(super) const MARGIN: f64 = 16.0;

/// Shapes and texts of a picture, filled from top to bottom.
#[derive(Debug, Clone, Default)]
pub(super) struct Canvas {
    /// Elements, in the order drawn.
    shapes: Vec<String>,
    /// Texts of both densities.
    labels: Vec<Label>,
    /// How far down the picture is filled.
    pub bottom: f64,
}

/// A mark before a text that says what it is of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    /// A piece of a line of this class.
    Line(&'static str),
    /// A square of the colour of a cause, by its place in the order.
    Square(usize),
}

/// Room in font sizes below which what is left of a text after cutting would say nothing.
const LEAST_ROOM: f64 = 4.0;
/// Height of a paragraph's line at each size, and least height of a paragraph.
const LINES: [f64; 2] = [18.0, 27.0];
const PARAGRAPH: f64 = 27.0;
/// Most lines of a paragraph; what is longer ends in an ellipsis, and stands whole in the description.
const MOST_LINES: usize = 6;
/// Width of a [`Key`] with the gap behind it, in font sizes.
const KEY: f64 = 1.5;

impl Canvas {
    /// Adds a shape; an empty one is left out.
    pub(super) fn shape(&mut self, element: String) {
        if !element.is_empty() {
            self.shapes.push(element);
        }
    }

    /// Adds a shape that is shown with the texts of one density only.
    pub(super) fn shape_of(&mut self, density: Density, element: &str) {
        if !element.is_empty() {
            self.shape(format!("<g class=\"{}\">{element}</g>", density.class()));
        }
    }

    /// Adds a text.
    pub(super) fn label(&mut self, label: Label) {
        if !label.text.is_empty() {
            self.labels.push(label);
        }
    }

    /// Adds a text only where it touches no other.
    pub(super) fn label_if_free(&mut self, label: Label) {
        let bounds = label.bounds();
        let inside = bounds.left >= 0.0 && bounds.right <= WIDTH;
        let of_same = self.labels.iter().filter(|other| other.density == label.density);
        if inside && of_same.into_iter().all(|other| !bounds.overlaps(&other.bounds(), 0.0)) {
            self.label(label);
        }
    }

    /// Adds a line of text at both sizes, cut to the room it has; `baselines` are those of [`DENSITIES`].
    pub(super) fn line(&mut self, role: Role, x: f64, baselines: [f64; 2], room: [f64; 2], text: &str) {
        for ((density, y), room) in DENSITIES.into_iter().zip(baselines).zip(room) {
            let label = Label { x, y, anchor: Anchor::Start, role, density, text: text.to_owned() };
            self.label(label.fitted(room));
        }
    }

    /// Adds a title with a muted text behind it, each cut to the room it has.
    pub(super) fn titled(&mut self, x: f64, baselines: [f64; 2], room: [f64; 2], title: &str, behind: &str) {
        for ((density, y), room) in DENSITIES.into_iter().zip(baselines).zip(room) {
            let label =
                |x, role, text: &str| Label { x, y, anchor: Anchor::Start, role, density, text: text.to_owned() };
            let title = label(x, Role::Title, title).fitted(room);
            let taken = title.width() + Role::Text.size(density);
            self.label(title);
            if room - taken > LEAST_ROOM * Role::Muted.size(density) {
                self.label(label(x + taken, Role::Muted, behind).fitted(room - taken));
            }
        }
    }

    /// Adds a text for each size that ends at the right border; gives back how much of the line each takes.
    pub(super) fn remark(&mut self, baselines: [f64; 2], texts: [&str; 2]) -> [f64; 2] {
        let mut widths = [0.0; 2];
        for (((density, y), text), width) in DENSITIES.into_iter().zip(baselines).zip(texts).zip(&mut widths) {
            let label = Label { x: RIGHT, y, anchor: Anchor::End, role: Role::Muted, density, text: text.to_owned() };
            *width = label.width();
            self.label(label);
        }
        widths
    }

    /// Adds texts with the marks they explain, one after the other on one line.
    pub(super) fn keys(&mut self, x: f64, baselines: [f64; 2], keys: &[(Option<Key>, String)]) {
        for (density, y) in DENSITIES.into_iter().zip(baselines) {
            let size = Role::Text.size(density);
            let mut x = x;
            for (key, text) in keys {
                if let Some(key) = key {
                    self.shape_of(density, &key_mark(*key, density, x, y));
                    x += KEY * size;
                }
                let label = Label { x, y, anchor: Anchor::Start, role: Role::Text, density, text: text.clone() };
                let label = label.fitted((RIGHT - x).max(0.0));
                x += label.width() + 1.4 * size;
                self.label(label);
            }
        }
    }

    /// Adds a text below everything else, at each size in as many lines as it needs; a mark stands before the first.
    pub(super) fn paragraph(&mut self, role: Role, key: Option<Key>, text: &str) {
        let top = self.bottom;
        for ((density, first), pitch) in DENSITIES.into_iter().zip([17.0, 22.0]).zip(LINES) {
            let size = role.size(density);
            let x = MARGIN + key.map_or(0.0, |_| KEY * size);
            if let Some(key) = key {
                self.shape_of(density, &key_mark(key, density, MARGIN, top + first));
            }
            let lines = font::wrapped(text, size, RIGHT - x, MOST_LINES);
            self.bottom = self.bottom.max(top + PARAGRAPH.max(pitch * lines.len() as f64));
            for (y, text) in (0..).map(|i| top + first + pitch * f64::from(i)).zip(lines) {
                self.label(Label { x, y, anchor: Anchor::Start, role, density, text });
            }
        }
    }

    /// The whole document. `title` and `description` are for those who do not see it.
    pub(super) fn document(&self, title: &str, description: &str) -> String {
        let height = svg::number(self.bottom.ceil());
        let texts = |density: Density| -> String {
            self.labels.iter().filter(|l| l.density == density).map(|l| l.element() + "\n").collect()
        };
        let (wide, narrow) = (texts(Density::Wide), texts(Density::Narrow));
        let shapes: String = self.shapes.iter().map(|shape| format!("{shape}\n")).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\" aria-labelledby=\"title description\">\n{}</title>\n\
             <desc id=\"description\">{}</desc>\n<style>{}</style>\n\
             <rect class=\"bg\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n{shapes}\
             <g class=\"w\">\n{wide}</g>\n<g class=\"n\" aria-hidden=\"true\">\n{narrow}</g>\n</svg>\n",
            title_tag(title),
            escaped(description),
            theme::style(),
            WIDTH - 1.0,
            self.bottom.ceil() - 1.0,
        )
    }

    /// The texts, for tests of where they lie.
    #[cfg(test)]
    pub(super) fn labels(&self) -> &[Label] {
        &self.labels
    }
}

/// A document's title, without its end.
pub(super) fn title_tag(title: &str) -> String {
    format!("<title id=\"title\">{}", escaped(title))
}

/// The mark of a key.
fn key_mark(key: Key, density: Density, x: f64, y: f64) -> String {
    let size = Role::Text.size(density);
    let mut mark = svg::PathData::default();
    let class = match key {
        Key::Line(class) => {
            mark.start(x, y - 0.35 * size);
            mark.line(x + 1.1 * size, y - 0.35 * size);
            class.to_owned()
        }
        Key::Square(cause) => {
            mark.rect(x, y - 0.75 * size, 0.8 * size, 0.8 * size);
            format!("f{cause}")
        }
    };
    svg::path(&class, mark, &[], None)
}
