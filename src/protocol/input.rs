//! The thread that reads lines, so that commands are heard during a search.

use std::io::{self, BufRead, ErrorKind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::session::Event;

/// Events that may wait before their senders have to.
const QUEUE: usize = 256;

/// Starts the thread that reads the input, and gives both ends of the channel it sends to.
pub(super) fn listen<R: BufRead + Send + 'static>(
    input: R,
) -> io::Result<(SyncSender<Event>, Receiver<Event>)> {
    let (sender, receiver) = sync_channel(QUEUE);
    let lines = sender.clone();
    thread::Builder::new().spawn(move || read_lines(input, &lines))?;
    Ok((sender, receiver))
}

/// The longest line kept; the rest of a longer one is dropped, or it would fill the memory.
const MAX_LINE: usize = 16 << 20;

/// Sends every line of the input, then its end.
fn read_lines(input: impl BufRead, events: &SyncSender<Event>) {
    for line in Lines(input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    // The session may have ended before its input.
    let _ = events.send(Event::EndOfInput);
}

/// The lines of an input, whatever bytes they hold, without their ends. An input that cannot be read
/// is one that has ended.
pub struct Lines<R>(pub R);

impl<R: BufRead> Iterator for Lines<R> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        read_line(&mut self.0).ok().flatten()
    }
}

/// Reads a line of any bytes; `None` at the end of the input. A last line without a line end
/// counts.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = end.map_or(part.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(any.then(|| String::from_utf8_lossy(&line).into_owned()))
}
