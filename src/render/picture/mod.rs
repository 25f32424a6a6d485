//! Pictures as SVG: text stays text, colours follow the reader's light or dark mode, nothing is loaded and nothing runs.
//!
//! A picture is laid out in units of its own and scaled by the page it stands on. Its texts are there twice, for about its own
//! width and for a phone's; the style sheet shows one of the two.

mod canvas;
mod clock;
mod cpu;
mod data;
mod downsample;
mod font;
mod label;
mod latency;
mod lines;
mod panel;
mod scale;
mod svg;
mod sweep;
mod theme;
mod words;

pub use latency::{FILE_NAME, is_latency, latency};
pub use sweep::{SweepRun, sweep};

#[cfg(test)]
mod tests;
