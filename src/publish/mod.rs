//! Puts rendered text in place: what may be written, and safely.
