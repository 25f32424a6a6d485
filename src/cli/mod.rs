//! Arguments, commands and everything that is printed.
