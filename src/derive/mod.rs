//! Numbers from observations: no files, no clock, no environment, no printing.
