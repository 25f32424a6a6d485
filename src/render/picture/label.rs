//! Texts of a picture and the room they take.

use super::font::{self, ASCENT, DESCENT};
use super::svg;
use crate::render::xml::escaped;

/// How large a picture is shown: texts are laid out once for each, at most one of the two is visible.
///
/// A picture is scaled to the width of its page. On a phone that is half of its own, so that texts have to be twice as
/// large in the picture, and fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Density {
    /// About its own width.
    Wide,
    /// A narrow screen.
    Narrow,
}

impl Density {
    /// Class of what is shown at this size only.
    pub(super) fn class(self) -> &'static str {
        match self {
            Density::Wide => "w",
            Density::Narrow => "n",
        }
    }
}

/// Both, in the order they are written.
pub(super) const DENSITIES: [Density; 2] = [Density::Wide, Density::Narrow];

/// What a text is for; decides its size and weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Title of the picture.
    Heading,
    /// Title of a panel.
    Title,
    /// Anything else.
    Text,
    /// Ticks and remarks.
    Muted,
}

impl Role {
    /// Font size in units of the picture.
    pub(super) fn size(self, density: Density) -> f64 {
        match (self, density) {
            (Role::Heading, Density::Wide) => 17.0,
            (Role::Title, Density::Wide) => 13.0,
            (_, Density::Wide) => 12.0,
            (Role::Heading, Density::Narrow) => 26.0,
            (Role::Title, Density::Narrow) => 23.0,
            (_, Density::Narrow) => 22.0,
        }
    }

    fn is_bold(self) -> bool {
        matches!(self, Role::Heading | Role::Title)
    }

    fn class(self) -> &'static str {
        match self {
            Role::Heading => "h",
            Role::Title => "b",
            Role::Text => "t",
            Role::Muted => "m",
        }
    }
}

/// Which point of a text its `x` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// One line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    /// Where it is anchored.
    pub x: f64,
    /// Its baseline.
    pub y: f64,
    /// What `x` is of it.
    pub anchor: Anchor,
    /// What it is for.
    pub role: Role,
    /// How large it is shown.
    pub density: Density,
    /// The text as read, not escaped.
    pub text: String,
}

/// The room a text takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Bounds {
    /// True when the two share more than `slack` in both directions.
    pub(super) fn overlaps(&self, other: &Bounds, slack: f64) -> bool {
        let shared = |low: f64, high: f64| high - low > slack;
        shared(self.left.max(other.left), self.right.min(other.right))
            && shared(self.top.max(other.top), self.bottom.min(other.bottom))
    }
}

impl Label {
    /// A label cut to the room it has.
    pub(super) fn fitted(mut self, room: f64) -> Self {
        self.text = font::fitted(&self.text, self.size(), self.role.is_bold(), room);
        self
    }

    fn size(&self) -> f64 {
        self.role.size(self.density)
    }

    /// Its width.
    pub(super) fn width(&self) -> f64 {
        font::width(&self.text, self.size(), self.role.is_bold())
    }

    /// The room it takes.
    pub(super) fn bounds(&self) -> Bounds {
        let width = self.width();
        let left = match self.anchor {
            Anchor::Start => self.x,
            Anchor::Middle => self.x - width / 2.0,
            Anchor::End => self.x - width,
        };
        let (top, bottom) = (self.y - ASCENT * self.size(), self.y + DESCENT * self.size());
        Bounds { left, top, right: left + width, bottom }
    }

    /// As an element.
    pub(super) fn element(&self) -> String {
        let anchor = match self.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        format!(
            "<text class=\"{}\" x=\"{}\" y=\"{}\"{anchor}>{}</text>",
            self.role.class(),
            svg::number(self.x),
            svg::number(self.y),
            escaped(&self.text)
        )
    }
}
