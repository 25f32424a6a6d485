//! Turns what a k6 load-test sweep leaves behind into published, provable benchmark pages.
//!
//! Data moves one way: [`ingest`] reads bytes into [`model`] types, [`derive`](mod@derive) computes a [`model::Evidence`] from them,
//! [`render`] writes text from it, [`publish`] puts that text in place and [`check`] reads published text back.
//! [`pipeline`] is where they meet; `docs/architecture.md` says who may use whom.

pub mod model;

pub mod ingest;

pub mod derive;

pub mod notation;

pub mod rows;

pub mod render;

pub mod check;

pub mod publish;

pub mod config;

pub mod pipeline;

pub mod cli;
