//! No process is left behind, not even after `kill -9` of the runner: a second, tiny process learns
//! of every engine and ends those that are alive when the runner's end of the pipe closes.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The runner's side: tells the other process of each engine that starts or has ended.
pub struct Watchdog {
    process: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

impl Watchdog {
    /// Starts `program arguments...`, which must call [`watch`].
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &Path, arguments: &[&str]) -> io::Result<Watchdog> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        own_group(&mut command);
        let mut process = command.spawn()?;
        let pipe = Mutex::new(process.stdin.take());
        Ok(Watchdog { process, pipe })
    }

    pub(super) fn started(&self, group: u32) {
        self.tell('+', group);
    }

    pub(super) fn ended(&self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: u32) {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = pipe.as_mut() {
            // A watchdog that was killed is missed only if the runner is killed as well.
            let _ = pipe.write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *self.pipe.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.process.wait();
    }
}

/// The other process: follows its input and, when that ends, kills every group that has not ended.
pub fn watch(input: impl BufRead) {
    // Signals meant for the runner's name or terminal must not end the watchdog before it.
    let _ = ctrlc::set_handler(|| {});
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        match (line.get(..1), line.get(1..).map(str::parse)) {
            (Some("+"), Some(Ok(group))) => groups.insert(group),
            (Some("-"), Some(Ok(group))) => groups.remove(&group),
            _ => false,
        };
    }
    groups.into_iter().for_each(kill_group);
}

/// Puts a child into a process group of its own, so that it can be ended with all its children and
/// Ctrl-C in the terminal does not reach it.
#[cfg(unix)]
pub(super) fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
pub(super) fn own_group(_: &mut Command) {}

/// Kills every process of a group; nothing happens if there is none.
#[cfg(unix)]
pub(super) fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(group).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Without process groups the child alone is killed, by its handle.
#[cfg(not(unix))]
pub(super) fn kill_group(_: u32) {}
