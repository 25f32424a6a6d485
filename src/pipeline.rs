//! The one place where ingest, derive and configuration meet.
