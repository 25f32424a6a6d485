//! A progress bar on work over a second, only on a terminal.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::ui::Ui;
use crate::ingest::source::Meter;

const QUIET_FOR: Duration = Duration::from_secs(1);
const STEP: Duration = Duration::from_millis(100);

/// Runs `work`, which counts the bytes it reads in the meter, and shows how far it is.
pub fn with_bar<T>(ui: &Ui, total_bytes: u64, meter: &Meter, work: impl FnOnce() -> T) -> T {
    if !ui.shows_progress() {
        return work();
    }
    let (done, stop) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || watch(total_bytes, meter, &stop));
        let result = work();
        drop(done);
        result
    })
}

fn watch(total_bytes: u64, meter: &Meter, stop: &mpsc::Receiver<()>) {
    let waits = |time| matches!(stop.recv_timeout(time), Err(mpsc::RecvTimeoutError::Timeout));
    if !waits(QUIET_FOR) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(total_bytes), ProgressDrawTarget::stderr());
    let template = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    while waits(STEP) {
        bar.set_position(meter.bytes().min(total_bytes));
    }
    bar.finish_and_clear();
}
