//! The one place where ingest, derive and configuration meet.

mod baseline;
mod census;
mod checking;
mod exports;
mod files;
mod fixing;
mod inspect;
mod logs;
mod preview;
mod published;
mod recheck;
mod run;
mod settings;
mod site;
mod summary;
mod sweep;
mod sweep_text;
mod takeover;

pub use baseline::BaselineRates;
pub use census::Census;
pub use checking::{CheckInput, Checked, check};
pub use exports::{Runs, unclaimed_exports};
pub use files::{InputFile, RunFiles};
pub use fixing::{FixedPage, fixed_pages};
pub use inspect::{Inspected, inspect};
pub use preview::{Preview, preview};
pub use published::{pages_below, published_windows};
pub use recheck::{Draft, recheck};
pub use run::{Reduced, TargetFrom, reduce};
pub use settings::Settings;
pub use site::{PageFiles, RenderedRun, Site, timestamp};
pub use summary::{LeftOut, Summarised, SummaryInput, summary};
pub use sweep::{RunFolder, compare_runs, is_sweep, overlapping_windows, reduce_all, run_folders};
pub use sweep_text::SweepText;
pub use takeover::take_over;
