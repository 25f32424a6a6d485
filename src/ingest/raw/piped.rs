//! A compressed file: one thread inflates, the other reads rows.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::feed::{Feed, Rows};
use super::{Done, Work};
use crate::ingest::source::Content;
use crate::model::Sink;

const PIECE: usize = 128 << 10;

/// Pieces on their way; they are used again.
const PIECES: usize = 4;

/// Reads a compressed file; `None` when only the plain reader can.
pub fn read<S: Sink + Send, R: Rows<S>>(
    work: &Work<'_>,
    start: u64,
    new_rows: impl Fn() -> R + Sync,
    new_sink: impl Fn() -> S + Sync,
) -> Option<Done<S>> {
    let (full, filled) = sync_channel(PIECES);
    let (empty, emptied) = sync_channel(PIECES);
    for _ in 0..PIECES {
        empty.send(vec![0; PIECE]).ok()?;
    }
    std::thread::scope(|scope| {
        let inflating = scope.spawn(move || {
            let content = work.source.open(work.meter).ok()?;
            inflate(content, start, &full, &emptied)
        });
        let (mut rows, mut sink) = (new_rows(), new_sink());
        let pipe = Pipe { filled, empty, piece: Vec::new(), at: 0 };
        let fed = Feed::new(pipe, start, Vec::new()).rows(&mut rows, u64::MAX, &mut sink);
        let is_truncated = inflating.join().ok()??;
        let fed = fed?;
        Some(Done { sinks: vec![sink], counts: rows.take_counts(), is_cut: fed.is_cut, is_truncated })
    })
}

/// Sends everything from byte `start` on; true when the stream ended before its end. `None` when it cannot be inflated.
fn inflate(mut content: Content, start: u64, full: &SyncSender<Vec<u8>>, emptied: &Receiver<Vec<u8>>) -> Option<bool> {
    let progress = content.progress();
    let mut at = io::copy(&mut content.by_ref().take(start), &mut io::sink()).ok()?;
    while let Ok(mut piece) = emptied.recv() {
        piece.resize(PIECE, 0);
        let n = content.read(&mut piece).ok()?;
        at += n as u64;
        progress.at_record(at); // the limit on one row is the reader's
        piece.truncate(n);
        if n == 0 || full.send(piece).is_err() {
            break;
        }
    }
    Some(progress.truncated())
}

/// The other end, as something to read from.
struct Pipe {
    filled: Receiver<Vec<u8>>,
    empty: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            let Ok(next) = self.filled.recv() else { return Ok(0) };
            // the inflating thread may have ended
            let _ = self.empty.send(std::mem::replace(&mut self.piece, next));
            self.at = 0;
        }
        let n = self.piece.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += n;
        Ok(n)
    }
}
