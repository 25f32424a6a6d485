//! A server for a preview: on this machine only, from memory, for reading only.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// Longest request head that is read.
const LONGEST_HEAD: u64 = 16 << 10;
/// How long a silent reader is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A preview's files, waiting for readers.
pub struct Server {
    listener: TcpListener,
    files: Arc<Vec<(String, String)>>,
}

/// An answer to a request.
#[derive(Debug, PartialEq, Eq)]
struct Answer<'a> {
    status: &'static str,
    kind: &'static str,
    body: &'a str,
}

impl Server {
    /// Opens a free port on the loopback address.
    ///
    /// # Errors
    ///
    /// Fails when the machine gives none.
    pub fn open(files: Vec<(String, String)>) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        Ok(Server { listener, files: Arc::new(files) })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// Fails when the system does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the program is ended. A reader that fails is nobody's concern but its own.
    pub fn run(&self) {
        for stream in self.listener.incoming().flatten() {
            let files = Arc::clone(&self.files);
            std::thread::spawn(move || serve(stream, &files));
        }
    }
}

fn serve(mut stream: TcpStream, files: &[(String, String)]) -> Option<()> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let (request, host) = read_head(&stream)?;
    let answer = answer(&request, &host, files);
    let head = format!(
        "HTTP/1.1 {}\r\ncontent-type: {}\r\ncontent-length: {}\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\n\
         referrer-policy: no-referrer\r\nallow: GET, HEAD\r\nconnection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    if !request.starts_with("HEAD ") {
        stream.write_all(answer.body.as_bytes()).ok()?;
    }
    stream.flush().ok()
}

/// The request line and the host asked for.
fn read_head(stream: &TcpStream) -> Option<(String, String)> {
    let mut lines = BufReader::new(stream.take(LONGEST_HEAD)).lines();
    let request = lines.next()?.ok()?;
    let mut host = String::new();
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            host = value.trim().to_owned();
        }
    }
    Some((request, host))
}

fn answer<'a>(request: &str, host: &str, files: &'a [(String, String)]) -> Answer<'a> {
    let refused = |status, body| Answer { status, kind: "text/plain; charset=utf-8", body };
    // another name for this machine may be a page of somebody else's in the same browser
    if !matches!(host.split(':').next(), Some("127.0.0.1" | "localhost")) {
        return refused("421 Misdirected Request", "this server answers as 127.0.0.1 only\n");
    }
    let mut parts = request.split(' ');
    let (method, target) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if !matches!(method, "GET" | "HEAD") {
        return refused("405 Method Not Allowed", "GET and HEAD only\n");
    }
    let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = decoded(path);
    let path = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path };
    // a name that is not in the list has no file: there is nothing on disk to go astray to
    match files.iter().find(|(name, _)| *name == path) {
        Some((name, body)) => Answer { status: "200 OK", kind: kind(name), body },
        None => refused("404 Not Found", "no such page in this preview\n"),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("svg") => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}

/// A path without its percent signs; what is no UTF-8 becomes something no file is called.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<(String, String)> {
        [("index.html", "all"), ("pages/v1/a b/index.html", "one"), ("pages/v1/a b/latency.svg", "<svg/>")]
            .map(|(name, body)| (name.to_owned(), body.to_owned()))
            .to_vec()
    }

    fn status(request: &str, host: &str) -> &'static str {
        answer(request, host, &files()).status
    }

    #[test]
    fn files_are_found_by_their_names_and_nothing_else_is() {
        let files = files();
        let body = |path: &str| answer(&format!("GET {path} HTTP/1.1"), "127.0.0.1:1", &files).body.to_owned();
        assert_eq!(body("/"), "all");
        assert_eq!(body("/pages/v1/a%20b/"), "one");
        assert_eq!(body("/pages/v1/a%20b/latency.svg?x"), "<svg/>");
        for astray in ["/../Cargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/pages", "/%", "/%zz", "/%ff"] {
            assert_eq!(status(&format!("GET {astray} HTTP/1.1"), "localhost"), "404 Not Found", "{astray}");
        }
    }

    #[test]
    fn only_reading_is_allowed_and_only_under_our_own_name() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "get", ""] {
            assert_eq!(status(&format!("{method} / HTTP/1.1"), "127.0.0.1"), "405 Method Not Allowed", "{method}");
        }
        assert_eq!(status("HEAD / HTTP/1.1", "127.0.0.1:8080"), "200 OK");
        for host in ["rebound.example", "", "127.0.0.1.example", "0.0.0.0"] {
            assert_eq!(status("GET / HTTP/1.1", host), "421 Misdirected Request", "{host}");
        }
    }

    #[test]
    fn a_browser_gets_a_whole_answer_over_the_wire() {
        let server = Server::open(files()).unwrap();
        let address = server.address().unwrap();
        assert!(address.ip().is_loopback());
        std::thread::spawn(move || server.run());
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let page = ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\nall"), "{page}");
        let head = ask("HEAD /pages/v1/a%20b/latency.svg HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(head.contains("image/svg+xml") && head.contains("content-length: 6") && head.ends_with("\r\n\r\n"));
    }
}
