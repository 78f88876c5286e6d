//! A child process that is read by a thread of its own, within bounded memory, and always ended.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::config::EngineConfig;
use super::watchdog::{Watchdog, kill_group, own_group};
use super::wire::is_thought;

/// Longer lines are cut: an engine may print for ever without a line end.
const MAX_LINE: usize = 64 * 1024;
/// Lines that wait for the game's thread. More, and the engine waits too.
const MAX_WAITING: usize = 64;
/// How often a waiting thread looks whether the engine lives and the match goes on.
const GLANCE: Duration = Duration::from_millis(50);

/// What all engines of a match share.
#[derive(Default)]
pub struct Surroundings {
    /// Ends engines if the runner is killed.
    pub watchdog: Option<Watchdog>,
    /// Takes all that is said.
    pub log: Option<Log>,
    /// Set to end every wait at once.
    pub stop: AtomicBool,
    /// How long an engine may take to get ready: one that loads large tables is not unresponsive.
    pub startup: Duration,
}

/// A file that takes every line sent and received.
pub struct Log {
    file: Mutex<File>,
    start: Instant,
}

impl Log {
    /// Starts a new file.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn create(path: &Path) -> io::Result<Log> {
        Ok(Log {
            file: Mutex::new(File::create(path)?),
            start: Instant::now(),
        })
    }

    fn write(&self, tag: &str, sign: char, text: &str) {
        let time = self.start.elapsed().as_secs_f64();
        let mut lines = String::new();
        for line in text.lines() {
            lines += &format!("{time:.4} {tag} {sign} {line}\n");
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that cannot be written must not lose a game.
        let _ = file.write_all(lines.as_bytes());
    }
}

/// What a wait for a line can end with.
pub(super) enum Next {
    /// A line, and when it came.
    Line(Instant, String),
    /// The deadline has passed.
    Timeout,
    /// The process has ended or closed its output.
    Gone(String),
    /// The match is stopped.
    Interrupted,
}

enum Event {
    Line(Instant, String),
    Closed,
}

/// A running engine.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    thought: Arc<Mutex<String>>,
    surroundings: Arc<Surroundings>,
    tag: String,
    asked_to_quit: Option<Instant>,
}

impl Process {
    /// Starts the program, on the given processors only if any are given.
    pub(super) fn spawn(
        config: &EngineConfig,
        cpus: &[usize],
        surroundings: &Arc<Surroundings>,
    ) -> io::Result<Process> {
        let logged = surroundings.log.is_some();
        let mut command = Command::new(config.program());
        command
            .args(&config.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        command.stderr(if logged {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        if let Some(dir) = &config.dir {
            command.current_dir(dir);
        }
        own_group(&mut command);
        let mut child = spawn_on(cpus, &mut command)?;
        if let Some(watchdog) = &surroundings.watchdog {
            watchdog.started(child.id());
        }
        let tag = format!("{}[{}]", config.name, child.id());
        let (sender, events) = sync_channel(MAX_WAITING);
        let thought = Arc::new(Mutex::new(String::new()));
        if let Some(output) = child.stdout.take() {
            let (shared, tag) = (Arc::clone(surroundings), tag.clone());
            let thought = Arc::clone(&thought);
            thread::spawn(move || {
                read_lines(output, |line| {
                    if let Some(log) = &shared.log {
                        log.write(&tag, '>', &line);
                    }
                    pass_on(line, &thought, &sender)
                });
                let _ = sender.send(Event::Closed);
            });
        }
        if let Some(errors) = child.stderr.take() {
            let (shared, tag) = (Arc::clone(surroundings), tag.clone());
            thread::spawn(move || {
                read_lines(errors, |line| {
                    if let Some(log) = &shared.log {
                        log.write(&tag, '!', &line);
                    }
                    true
                });
            });
        }
        Ok(Process {
            input: child.stdin.take(),
            child,
            events,
            thought,
            surroundings: Arc::clone(surroundings),
            tag,
            asked_to_quit: None,
        })
    }

    /// Sends lines; each must end with a line end. That the engine no longer reads shows when its
    /// answer is waited for.
    pub(super) fn send(&mut self, lines: &str) {
        if let Some(log) = &self.surroundings.log {
            log.write(&self.tag, '<', lines);
        }
        if let Some(input) = &mut self.input {
            let _ = input.write_all(lines.as_bytes());
        }
    }

    /// Waits for the next line that is no thought.
    pub(super) fn next(&mut self, deadline: Instant) -> Next {
        loop {
            if self.surroundings.stop.load(Ordering::Relaxed) {
                return Next::Interrupted;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(GLANCE)) {
                Ok(Event::Line(at, line)) => return Next::Line(at, line),
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => {
                    return Next::Gone(self.epitaph());
                }
                // A child of the engine may hold its output open: ask for the engine itself. What
                // it said before its end is still taken first.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                    return match self.events.recv_timeout(GLANCE) {
                        Ok(Event::Line(at, line)) => Next::Line(at, line),
                        _ => Next::Gone(self.epitaph()),
                    };
                }
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Next::Timeout,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets what the engine thought before.
    pub(super) fn clear_thought(&mut self) {
        self.thought
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// The last line of thought.
    pub(super) fn thought(&self) -> String {
        self.thought
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Asks the engine to leave; dropping it then waits a little.
    pub(super) fn ask_to_quit(&mut self) {
        self.send("quit\n");
        self.input = None;
        self.asked_to_quit = Some(Instant::now());
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// How the process ended.
    fn epitaph(&mut self) -> String {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if start.elapsed() < 4 * GLANCE => thread::sleep(GLANCE / 10),
                _ => return "it closed its output".to_owned(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(1);
        if let Some(asked) = self.asked_to_quit {
            while !self.has_ended() && asked.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(1));
            }
        }
        // Children of the engine too, even if the engine itself has left.
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(watchdog) = &self.surroundings.watchdog {
            watchdog.ended(self.child.id());
        }
    }
}

/// Keeps a thought, passes other lines on. False if nobody listens any more.
fn pass_on(line: String, thought: &Mutex<String>, sender: &SyncSender<Event>) -> bool {
    let at = Instant::now();
    if line.starts_with("info") {
        if is_thought(&line) {
            *thought.lock().unwrap_or_else(PoisonError::into_inner) = line;
        }
        return true;
    }
    sender.send(Event::Line(at, line)).is_ok()
}

/// Calls `take` with each line, trimmed and cut to [`MAX_LINE`], until it returns false.
fn read_lines(mut input: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut chunk = vec![0; MAX_LINE];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let count = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let mut rest = &chunk[..count];
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            append(&mut line, &rest[..end]);
            rest = &rest[end + 1..];
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            line.clear();
            if !text.is_empty() && !take(text) {
                return;
            }
        }
        append(&mut line, rest);
    }
}

fn append(line: &mut Vec<u8>, bytes: &[u8]) {
    let room = MAX_LINE.saturating_sub(line.len());
    line.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// Starts a child on some processors. It inherits them from the thread that starts it, so they hold
/// from its first instruction; the thread is made for that.
#[cfg(target_os = "linux")]
fn spawn_on(cpus: &[usize], command: &mut Command) -> io::Result<Child> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    if cpus.is_empty() {
        return command.spawn();
    }
    let mut set = CpuSet::new();
    cpus.iter().for_each(|&cpu| set.set(cpu));
    let pinned = || {
        sched_setaffinity(None, &set)?;
        command.spawn()
    };
    thread::scope(|scope| scope.spawn(pinned).join())
        .unwrap_or_else(|_| Err(io::Error::other("the starting thread panicked")))
}

/// The processors this program may use.
///
/// # Errors
/// If the system does not tell.
#[cfg(target_os = "linux")]
pub fn processors() -> io::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect())
}

#[cfg(not(target_os = "linux"))]
fn spawn_on(_: &[usize], command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(input: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(input, |line| {
            lines.push(line);
            true
        });
        lines
    }

    #[test]
    fn lines_are_trimmed_and_blank_ones_skipped() {
        assert_eq!(
            lines_of(b"uciok\r\n\n  readyok \nrest"),
            ["uciok", "readyok"]
        );
        assert_eq!(lines_of(b"\xff\n"), ["\u{fffd}"]);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_read() {
        let mut input = vec![b'x'; 10 * MAX_LINE];
        input.extend_from_slice(b"\nbestmove c2c3\n");
        let lines = lines_of(&input);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1..], ["bestmove c2c3"]);
    }
}
