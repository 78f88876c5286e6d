//! An engine for tests: plays random legal moves, and fails in the way its first argument says.
//!
//! It uses the rules of the library to move, and nothing of the match runner.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use alquerque::rules::{Game, Move, Position};

/// Moves before an engine fails that fails in the middle of a game.
const GOOD_MOVES: u32 = 2;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mode = arguments.get(1).map_or("random", String::as_str);
    let number = arguments
        .get(2)
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    match mode {
        "sleeper" => loop {
            sleep(Duration::from_secs(1));
        },
        "exit-at-start" => exit(3),
        "slow-start" => sleep(Duration::from_millis(number)),
        _ => {}
    }
    let mut engine = Engine {
        mode,
        number,
        game: Game::new(Position::start(), 0),
        state: number.max(1),
        asked: 0,
    };
    for line in stdin().lock().lines().map_while(Result::ok) {
        engine.take(&line);
    }
    if mode == "stubborn" {
        loop {
            sleep(Duration::from_secs(1));
        }
    }
}

struct Engine<'a> {
    mode: &'a str,
    number: u64,
    game: Game,
    /// Of the random numbers.
    state: u64,
    asked: u32,
}

fn say(text: &str) {
    // The runner may have gone: then so does this.
    if writeln!(stdout(), "{text}")
        .and_then(|()| stdout().flush())
        .is_err()
    {
        exit(0);
    }
}

impl Engine<'_> {
    fn take(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] if self.mode != "mute" => {
                say("id name Mock");
                say("option name Hash type spin default 16 min 1 max 64");
                say("option name No Capture Limit type spin default 0 min 0 max 10000");
                say("option name Style type combo default calm var calm var wild");
                say("uciok");
            }
            ["ugi"] => say("ugiok"),
            ["isready"] if self.mode == "never-ready" && self.asked >= GOOD_MOVES => {}
            ["isready"] => say("readyok"),
            [
                "setoption",
                "name",
                "No",
                "Capture",
                "Limit",
                "value",
                limit,
            ] => {
                let limit = limit.parse().unwrap_or(0);
                self.game.set_no_capture_limit(limit);
                if self.mode == "needs-limit" && limit != self.number as u32 {
                    exit(9);
                }
            }
            ["position", rest @ ..] => self.set_position(rest),
            ["go", rest @ ..] => {
                self.asked += 1;
                self.go(rest);
            }
            ["quit"] if self.mode != "stubborn" => exit(0),
            _ => {}
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        let end = words
            .iter()
            .position(|&w| w == "moves")
            .unwrap_or(words.len());
        let fen = words[1..end].join(" ");
        let position = fen.parse().unwrap_or_else(|_| exit(10));
        self.game = Game::new(position, self.game.no_capture_limit());
        for text in words.iter().skip(end + 1) {
            let mv: Move = text.parse().unwrap_or_else(|_| exit(11));
            self.game.play(mv).unwrap_or_else(|_| exit(12));
        }
    }

    fn random_move(&mut self) -> String {
        let moves = self.game.position().board().moves();
        // xorshift64
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        moves[(self.state % moves.len() as u64) as usize].to_string()
    }

    fn go(&mut self, limits: &[&str]) {
        // A clock that is not positive is the runner's fault: fail so that it shows.
        for pair in limits.windows(2) {
            let clock = pair[0].ends_with("time");
            if clock && !pair[1].parse::<i64>().is_ok_and(|ms| ms > 0) {
                exit(13);
            }
        }
        let mv = self.random_move();
        let fails = self.asked > GOOD_MOVES;
        match self.mode {
            "crash" if fails => exit(7),
            "hang" if fails => loop {
                sleep(Duration::from_secs(1));
            },
            "silent" if fails => {}
            "late" if fails => {
                sleep(Duration::from_millis(self.number));
                say(&format!("bestmove {mv}"));
            }
            "illegal" if fails => say("bestmove a1e5"),
            "garbage" if fails => say("bestmove \u{1b}[31m<>&\"'\\"),
            "empty" if fails => say("bestmove"),
            "none" if fails => say("bestmove (none)"),
            "twice" if fails => {
                say(&format!("bestmove {mv}"));
                say(&format!("bestmove {mv}"));
            }
            "endless" if fails => loop {
                if stdout().write_all(&[b'x'; 4096]).is_err() {
                    exit(0);
                }
            },
            "chatter" if fails => loop {
                say("no move today");
            },
            "flood" => {
                self.flood(Duration::from_millis(self.number));
                say(&format!("bestmove {mv}"));
            }
            "orphan" if fails => {
                // The child keeps this process's output open.
                let tag = std::env::args().next_back().unwrap_or_default();
                let program = std::env::current_exe().unwrap_or_else(|_| exit(14));
                let child = Command::new(program).args(["sleeper", &tag]).spawn();
                exit(if child.is_ok() { 8 } else { 15 });
            }
            "liar" => {
                say("info depth 3 score mate 1 nodes 10 pv c3c4 a1e5");
                say(&format!("bestmove {mv}"));
            }
            "pause" | "stubborn" => {
                sleep(Duration::from_millis(self.number));
                say(&format!("bestmove {mv}"));
            }
            "eager" => {
                say(&format!(
                    "info depth 1 score cp {} nodes 1 pv {mv}",
                    self.number as i64 - 1000
                ));
                say(&format!("bestmove {mv}"));
            }
            _ => say(&format!("bestmove {mv}")),
        }
    }

    /// More than a megabyte a second of thoughts.
    fn flood(&self, time: Duration) {
        let line = format!(
            "info depth 1 score cp 1 nodes 1 string {}",
            "x".repeat(1000)
        );
        let start = Instant::now();
        while start.elapsed() < time {
            (0..10).for_each(|_| say(&line));
            sleep(Duration::from_micros(100));
        }
    }
}
