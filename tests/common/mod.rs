//! The real program at the other end of pipes, with a time-out on everything.

// Each test program uses a part of this.
#![allow(dead_code)]

pub mod boards;
pub mod dask;
pub mod naive;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    /// Starts the protocol loop.
    pub fn start() -> Program {
        Program::start_with(&[])
    }

    /// Starts the program with these arguments.
    pub fn start_with(arguments: &[&str]) -> Program {
        let mut child = spawn(arguments);
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.expect("output is UTF-8")).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Program {
            child,
            stdin,
            lines,
        }
    }

    /// Starts it with an output that is closed at once.
    pub fn start_deaf(arguments: &[&str]) -> Program {
        let mut child = spawn(arguments);
        drop(child.stdout.take());
        let stdin = child.stdin.take();
        let (_, lines) = channel();
        Program {
            child,
            stdin,
            lines,
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        // A program that has left hears nothing; the test sees that elsewhere.
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    /// Closes the program's input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    /// The lines up to the first that begins so, which comes last.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// The first line that begins so, earlier ones skipped.
    pub fn find(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap_or_default()
    }

    /// Sends `isready` and returns what was printed before the answer.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Waits for the end: the exit code and the lines that were left.
    pub fn end(mut self) -> (Option<i32>, Vec<String>) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the child can be asked") {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        };
        (status.code(), self.lines.iter().collect())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end with this input.
pub fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_vec();
    // Beside the reading, or two full pipes would wait for each other. A program that was told
    // everything on its command line reads nothing.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    let _ = writer.join();
    output
}

fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_alquerque"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// Replays a dialogue of protocol.md, marked by this word, with the program started so. `>` is
/// sent, `<` comes back, `...` stands for anything, and alone for any number of lines.
pub fn replay(mark: &str, arguments: &[&str]) {
    let text = include_str!("../../protocol.md");
    let (_, block) = text
        .split_once(&format!("```{mark}\n"))
        .expect("protocol.md has this dialogue");
    let (block, _) = block.split_once("```").expect("the dialogue ends");
    let mut program = Program::start_with(arguments);
    let mut skip = false;
    for line in block.lines() {
        if let Some(sent) = line.strip_prefix("> ") {
            program.send(sent);
            continue;
        }
        let expected = line.strip_prefix('<').expect("lines begin with > or <");
        let expected = expected.strip_prefix(' ').unwrap_or(expected);
        if expected == "..." {
            skip = true;
            continue;
        }
        let mut found = program.line();
        while skip && !matches(expected, &found) {
            found = program.line();
        }
        assert!(
            matches(expected, &found),
            "expected {expected}, found {found}"
        );
        skip = false;
    }
    assert_eq!(program.end(), (Some(0), Vec::new()));
}

/// Whether `text` is `pattern`, in which `...` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once("...") {
        None => pattern == text,
        Some((start, "")) => text.starts_with(start),
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            ends.any(|at| matches(rest, &text[at..]))
        }),
    }
}
