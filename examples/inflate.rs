//! Inflates a gzip file and throws it away: what `benches/compare` holds reading a compressed file against.

use std::fs::File;
use std::io::{self, BufReader, Read};

fn main() -> io::Result<()> {
    let path = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("expected a file"))?;
    let mut content = flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(256 << 10, File::open(path)?));
    let mut buffer = vec![0; 128 << 10];
    while content.read(&mut buffer)? > 0 {}
    Ok(())
}
