//! Pages people edited, published again: nothing of theirs is lost, nothing stale is left without a word, and an
//! interruption leaves the files of a run all old or all new.

mod crashes;
mod data;
mod edits;
mod page;
mod property;
mod random;
mod real_pages;
mod through_the_binary;

#[path = "../support/mod.rs"]
mod support;
