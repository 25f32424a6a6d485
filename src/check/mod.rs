//! Published text back into claims.

pub mod page;
