//! Faults on demand, for tests of what an interruption leaves.
//!
//! In builds with debug assertions `SWEEPDOC_FAULT=kill:7` ends the process without further ado before the seventh step of
//! writing, `SWEEPDOC_FAULT=fail:7` makes that step fail as a full disk does. Release builds have no such thing: the
//! function is empty there and no variable is read.

use std::io;

/// To be called before each operation that changes something on disk.
///
/// # Errors
///
/// Fails when a test asked for it.
#[cfg(not(debug_assertions))]
#[inline]
pub(super) fn step() -> io::Result<()> {
    Ok(())
}

/// To be called before each operation that changes something on disk.
///
/// # Errors
///
/// Fails when a test asked for it.
#[cfg(debug_assertions)]
pub(super) fn step() -> io::Result<()> {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Exit code of a process that was ended by a fault.
    const KILLED: i32 = 99;
    static WANTED: LazyLock<Option<(String, u64)>> = LazyLock::new(|| {
        let wanted = std::env::var("SWEEPDOC_FAULT").ok()?;
        let (how, at) = wanted.split_once(':')?;
        Some((how.to_owned(), at.parse().ok()?))
    });
    static STEPS: AtomicU64 = AtomicU64::new(0);

    let now = STEPS.fetch_add(1, Ordering::Relaxed) + 1;
    match &*WANTED {
        Some((how, at)) if *at == now && how == "kill" => std::process::exit(KILLED),
        Some((how, at)) if *at == now && how == "fail" => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    }
}
