//! How soon the real program answers: start, `isready` and `stop` during a search, `movetime`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::thread::sleep;
use std::time::{Duration, Instant};

use common::Program;

const ROUNDS: u64 = 25;
const MOVETIME: Duration = Duration::from_millis(100);

fn main() {
    println!("{:<52}{:>8}{:>10}", "milliseconds", "median", "longest");
    show("start of the program to readyok", start);
    let mut program = Program::start();
    program.sync();
    show("isready to readyok during a search", |round| {
        program.send("go infinite");
        let time = answer(&mut program, round, "isready", "readyok");
        program.send("stop");
        program.find("bestmove ");
        time
    });
    show("stop to bestmove", |round| {
        program.send("go infinite");
        answer(&mut program, round, "stop", "bestmove ")
    });
    show(
        "bestmove later than movetime 100 (negative: sooner)",
        |_| {
            let begin = Instant::now();
            program.send("go movetime 100");
            program.find("bestmove ");
            begin.elapsed().as_secs_f64() - MOVETIME.as_secs_f64()
        },
    );
}

/// Prints the median and the longest of many measured times, given in seconds.
fn show(what: &str, mut measure: impl FnMut(u64) -> f64) {
    let mut times: Vec<f64> = (0..ROUNDS).map(|round| measure(round) * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what:<52}{median:>8.2}{longest:>10.2}");
}

fn start(_: u64) -> f64 {
    let begin = Instant::now();
    let mut program = Program::start();
    program.sync();
    begin.elapsed().as_secs_f64()
}

/// The time from a command to its answer, some time into a search.
fn answer(program: &mut Program, round: u64, command: &str, reply: &str) -> f64 {
    // Not always at the same place of the search.
    sleep(Duration::from_millis(50 + round * 3));
    let begin = Instant::now();
    program.send(command);
    program.find(reply);
    begin.elapsed().as_secs_f64()
}
