//! `summary`: the sweep's table, from pages, evidence and raw output, and kept up to date within a text.

mod action;
mod formats;
mod pages;
mod pipe;
mod real_pages;
#[path = "../support/mod.rs"]
mod support;
mod update;
