//! Pages people edited, published again: nothing of theirs is lost, nothing stale is left without a word.

mod through_the_binary;

#[path = "../support/mod.rs"]
mod support;
