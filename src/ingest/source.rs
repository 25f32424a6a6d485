//! Opens input files: compression by content, a byte meter for progress, fingerprints, and forgiveness for cut streams.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3;

use crate::model::{Fault, Result};

/// Largest document (log, summary, chart data) that is read into memory, decompressed. Raw output is streamed and has no limit.
pub const DOCUMENT_LIMIT: u64 = 256 << 20;

const MIB: u64 = 1 << 20;
const BUFFER: usize = 256 << 10;

/// Counts bytes as stored, across files and threads; somebody else shows it.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// How a file is compressed, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// As it is.
    None,
    /// One or several gzip members.
    Gzip,
    /// Zstandard frames.
    Zstd,
}

impl Compression {
    fn of(first: &[u8]) -> Self {
        match first {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            _ => Compression::None,
        }
    }
}

/// An input file that can be opened more than once.
#[derive(Debug)]
pub struct Source {
    /// The path as the user gave it, or `-`.
    pub path: PathBuf,
    /// Size as stored.
    pub bytes: u64,
    spool: Option<File>,
    fingerprint: OnceLock<String>,
}

impl Source {
    /// A file on disk; `-` is standard input, which is kept in an unnamed temporary file so that it can be read twice.
    pub fn new(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            let mut spool = tempfile::tempfile().map_err(|e| Fault::io(path, "keep standard input", e))?;
            let bytes =
                io::copy(&mut io::stdin().lock(), &mut spool).map_err(|e| Fault::io(path, "read standard input", e))?;
            return Ok(Source { path: path.to_path_buf(), bytes, spool: Some(spool), fingerprint: OnceLock::new() });
        }
        let meta = std::fs::metadata(path).map_err(|e| Fault::io(path, "read", e))?;
        if meta.is_dir() {
            return Err(Fault::at(crate::model::Place::file(path), "expected a file, found a folder"));
        }
        Ok(Source { path: path.to_path_buf(), bytes: meta.len(), spool: None, fingerprint: OnceLock::new() })
    }

    /// Opens the decompressed content. Bytes are counted in `meter` as they are stored.
    pub fn open(&self, meter: &Meter) -> Result<Content> {
        let stored = BufReader::with_capacity(BUFFER, Metered { inner: self.file()?, meter: meter.clone() });
        Content::new(stored, &self.path)
    }

    /// Reads the whole decompressed content, up to [`DOCUMENT_LIMIT`].
    pub fn read_document(&self, meter: &Meter) -> Result<Vec<u8>> {
        let content = self.open(meter)?;
        let mut bytes = Vec::new();
        content.take(DOCUMENT_LIMIT + 1).read_to_end(&mut bytes).map_err(|e| Fault::io(&self.path, "read", e))?;
        if bytes.len() as u64 > DOCUMENT_LIMIT {
            return Err(Fault::at(
                crate::model::Place::file(&self.path),
                format!("expected a log or summary of at most {} MiB, found more", DOCUMENT_LIMIT / MIB),
            )
            .hint("only raw k6 output may be larger; take this file out of the run folder"));
        }
        Ok(bytes)
    }

    /// `xxh3:` over the length and the first, last and every 64th MiB as stored: changes with any realistic edit, costs nothing on gigabytes.
    ///
    /// Computed once.
    pub fn fingerprint(&self) -> Result<String> {
        if let Some(known) = self.fingerprint.get() {
            return Ok(known.clone());
        }
        let fingerprint = self.compute_fingerprint()?;
        Ok(self.fingerprint.get_or_init(|| fingerprint).clone())
    }

    fn compute_fingerprint(&self) -> Result<String> {
        let mut hash = Xxh3::new();
        hash.update(&self.bytes.to_le_bytes());
        let mut file = self.file()?;
        let mut buffer = vec![0; MIB as usize];
        let last = self.bytes.saturating_sub(1) / MIB;
        for block in (0..=last).filter(|b| b % 64 == 0 || *b == last) {
            let mut part = || -> io::Result<usize> {
                file.seek(SeekFrom::Start(block * MIB))?;
                read_full(&mut file, &mut buffer)
            };
            let n = part().map_err(|e| Fault::io(&self.path, "read", e))?;
            hash.update(buffer.get(..n).unwrap_or_default());
        }
        Ok(format!("xxh3:{:032x}", hash.digest128()))
    }

    /// SHA-256 of the whole file as stored, in hexadecimal.
    pub fn sha256(&self) -> Result<String> {
        let mut hash = Sha256::new();
        let mut file = self.file()?;
        let mut buffer = vec![0; MIB as usize];
        loop {
            let n = file.read(&mut buffer).map_err(|e| Fault::io(&self.path, "read", e))?;
            if n == 0 {
                return Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect());
            }
            hash.update(buffer.get(..n).unwrap_or_default());
        }
    }

    /// How the file is compressed.
    pub(super) fn compression(&self) -> Result<Compression> {
        let mut first = [0; 4];
        let n = read_full(&mut self.file()?, &mut first).map_err(|e| Fault::io(&self.path, "read", e))?;
        Ok(Compression::of(first.get(..n).unwrap_or_default()))
    }

    /// True when whoever opens the file shares one position in it: standard input.
    pub(super) fn is_one_handle(&self) -> bool {
        self.spool.is_some()
    }

    /// The stored bytes, from the first one on.
    pub(super) fn file(&self) -> Result<File> {
        match &self.spool {
            None => File::open(&self.path).map_err(|e| Fault::io(&self.path, "read", e)),
            Some(spool) => {
                let mut file = spool.try_clone().map_err(|e| Fault::io(&self.path, "read again", e))?;
                file.seek(SeekFrom::Start(0)).map_err(|e| Fault::io(&self.path, "read again", e))?;
                Ok(file)
            }
        }
    }
}

fn read_full(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match input.read(rest)? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

struct Metered {
    inner: File,
    meter: Meter,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.meter.add(n as u64);
        Ok(n)
    }
}

/// How a stream came to its end, and how far a reader has got.
///
/// Shared between the stream and whoever parses it: a parser cannot see from its records whether the last line was cut.
#[derive(Debug, Clone, Default)]
pub struct Progress(Rc<ProgressCells>);

#[derive(Debug, Default)]
struct ProgressCells {
    read: Cell<u64>,
    last_byte: Cell<Option<u8>>,
    truncated: Cell<bool>,
    record_start: Cell<u64>,
}

impl Progress {
    /// The last byte delivered; `None` before the first.
    pub fn last_byte(&self) -> Option<u8> {
        self.0.last_byte.get()
    }

    /// True when a compressed stream ended without its trailer.
    pub fn truncated(&self) -> bool {
        self.0.truncated.get()
    }

    /// Tells where the record being read begins, in decompressed bytes.
    pub fn at_record(&self, byte: u64) {
        self.0.record_start.set(byte);
    }
}

/// Longest single record of raw output. One longer than this is a quote that was never closed, or a bomb.
const RECORD_LIMIT: u64 = 64 << 20;

/// The decompressed bytes of a source, without a byte order mark.
pub struct Content {
    inner: Box<dyn Read>,
    progress: Progress,
    path: PathBuf,
    pending: Vec<u8>,
    had_mark: bool,
}

impl Content {
    fn new(mut stored: impl BufRead + 'static, path: &Path) -> Result<Self> {
        let io_fault = |e| Fault::io(path, "read", e);
        let compression = Compression::of(stored.fill_buf().map_err(io_fault)?);
        let mut inner: Box<dyn Read> = match compression {
            Compression::None => Box::new(stored),
            Compression::Gzip => Box::new(MultiGzDecoder::new(stored)),
            Compression::Zstd => Box::new(
                ruzstd::decoding::StreamingDecoder::new(stored)
                    .map_err(|e| Fault::io(path, "decompress", io::Error::other(e)))?,
            ),
        };
        let progress = Progress::default();
        let mut head = vec![0; 3];
        let n = match read_full(&mut inner, &mut head) {
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                progress.0.truncated.set(true);
                0
            }
            Err(e) => return Err(Fault::io(path, "decompress", e)),
        };
        head.truncate(n);
        let had_mark = head == [0xef, 0xbb, 0xbf];
        if had_mark {
            head.clear();
        }
        Ok(Content { inner, progress, path: path.to_path_buf(), pending: head, had_mark })
    }

    /// The shared state of this stream.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// True when a byte order mark was taken off.
    pub(super) fn had_mark(&self) -> bool {
        self.had_mark
    }

    /// The path as the user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let cells = &self.progress.0;
        let n = if self.pending.is_empty() {
            match self.inner.read(buffer) {
                Ok(n) => n,
                // k6 was killed: what inflates is good, the rest is missing
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                    cells.truncated.set(true);
                    0
                }
                Err(e) => return Err(e),
            }
        } else {
            let n = self.pending.len().min(buffer.len());
            buffer.iter_mut().zip(self.pending.drain(..n)).for_each(|(to, from)| *to = from);
            n
        };
        if let Some(last) = n.checked_sub(1).and_then(|i| buffer.get(i)) {
            cells.last_byte.set(Some(*last));
        }
        cells.read.set(cells.read.get() + n as u64);
        if cells.read.get() - cells.record_start.get() > RECORD_LIMIT {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a single row is longer than {} MiB: a quote that is never closed?", RECORD_LIMIT >> 20),
            ));
        }
        Ok(n)
    }
}
