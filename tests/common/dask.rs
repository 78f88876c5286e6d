//! A Dask scheduler and workers on this machine.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A process that is killed at the end of the test, come what may.
pub struct Helper(Child);

impl Helper {
    /// Kills it now.
    pub fn kill(&mut self) {
        self.0.kill().expect("it can be killed");
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether Python has Dask; says loudly if a test must be skipped without it.
pub fn is_there() -> bool {
    let probe = Command::new("python3")
        .args(["-c", "import distributed"])
        .stderr(Stdio::null())
        .status();
    let there = probe.is_ok_and(|status| status.success());
    if !there {
        eprintln!("SKIPPED: python3 with the package distributed is not there");
    }
    there
}

fn python(arguments: &[&str]) -> Helper {
    let mut command = Command::new("python3");
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Helper(command.spawn().expect("python runs"))
}

/// A cluster whose workers are started one by one.
pub struct Cluster {
    _scheduler: Helper,
    /// Where the scheduler wrote how it is reached.
    file: String,
    scratch: String,
}

impl Cluster {
    /// Starts a scheduler that keeps its files in `folder`.
    pub fn start(folder: &Path) -> Cluster {
        let path = |name: &str| folder.join(name).display().to_string();
        let (file, scratch) = (path("scheduler.json"), path("scratch"));
        let scheduler = python(&[
            "-m",
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            &file,
        ]);
        let start = Instant::now();
        while !Path::new(&file).exists() {
            let waited = start.elapsed();
            assert!(
                waited < Duration::from_secs(30),
                "the scheduler does not start"
            );
            sleep(Duration::from_millis(50));
        }
        Cluster {
            _scheduler: scheduler,
            file,
            scratch,
        }
    }

    /// A worker without a nanny: one process, and killing it is final.
    pub fn worker(&self) -> Helper {
        python(&[
            "-m",
            "distributed.cli.dask_worker",
            "--scheduler-file",
            &self.file,
            "--no-nanny",
            "--nthreads",
            "1",
            "--no-dashboard",
            "--local-directory",
            &self.scratch,
        ])
    }

    /// The address for `--scheduler`.
    pub fn address(&self) -> String {
        let text = std::fs::read_to_string(&self.file).expect("an address");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        json["address"].as_str().expect("an address").to_owned()
    }
}
