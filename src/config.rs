//! The project file `sweepdoc.toml`, strict about unknown keys.
