//! The dialogue with an engine: handshake, options, new games, moves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::config::{EngineConfig, Verbs};
use super::process::{Next, Process, Surroundings};
use super::wire::{Announced, Thought};

/// Time to answer `stop` or `isready` before an engine counts as hung.
const GRACE: Duration = Duration::from_secs(1);
/// The option by which an engine learns of the runner's limit on plies without a capture.
const NO_CAPTURE_LIMIT: &str = "No Capture Limit";

/// An engine that has said hello.
pub struct Player {
    process: Process,
    verbs: Verbs,
    /// How long it may take to get ready for a match or a game.
    startup: Duration,
}

/// How long a move may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// When the flag falls; `None`: there is no clock.
    pub flag: Option<Duration>,
    /// When an engine without a clock counts as hung.
    pub patience: Duration,
}

/// A move as the engine wrote it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The word after `bestmove`, perhaps nothing.
    pub text: String,
    /// Time used.
    pub time: Duration,
    /// The last line of thought.
    pub thought: Thought,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The answer came after the flag had fallen; the engine can go on.
    #[error("answered after {0:.3?}")]
    Late(Duration),
    /// No answer at all.
    #[error("no answer to {to} in {after:.1?}")]
    Silent {
        /// What was sent.
        to: &'static str,
        /// How long it had.
        after: Duration,
        /// Whether a clock ran out meanwhile.
        timed: bool,
    },
    /// The process has ended.
    #[error("the engine has left: {0}")]
    Gone(String),
    /// A move came that nobody had asked for.
    #[error("a second move for one position: {0}")]
    Unasked(String),
    /// The match is stopped.
    #[error("stopped")]
    Interrupted,
}

/// Why an engine cannot play.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program cannot be started.
    #[error("engine {name} cannot be started: {program}: {reason}")]
    Spawn {
        /// The engine.
        name: String,
        /// The program.
        program: String,
        /// What the system says.
        reason: std::io::Error,
    },
    /// An option is not known or its value does not fit.
    #[error("engine {name}: {why}")]
    Option {
        /// The engine.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// It does not get through the handshake.
    #[error("engine {name} does not start: {fault}")]
    Handshake {
        /// The engine.
        name: String,
        /// What happened.
        fault: Fault,
    },
}

impl Player {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If it does not start, lacks an option or refuses a value.
    pub fn start(
        config: &EngineConfig,
        no_capture_limit: u32,
        cpus: &[usize],
        surroundings: &Arc<Surroundings>,
    ) -> Result<Player, StartError> {
        let process = Process::spawn(config, cpus, surroundings);
        let mut player = Player {
            process: process.map_err(|reason| StartError::Spawn {
                name: config.name.clone(),
                program: config.program().display().to_string(),
                reason,
            })?,
            verbs: config.verbs,
            startup: surroundings.startup,
        };
        let handshake = |fault| StartError::Handshake {
            name: config.name.clone(),
            fault,
        };
        let announced = player.hello().map_err(handshake)?;
        let options = chosen(config, &announced, no_capture_limit);
        let lines = options.map_err(|why| StartError::Option {
            name: config.name.clone(),
            why,
        })?;
        player.process.send(&lines);
        player.ready(surroundings.startup).map_err(handshake)?;
        Ok(player)
    }

    fn hello(&mut self) -> Result<Vec<Announced>, Fault> {
        let (hello, ok) = match self.verbs {
            Verbs::Uci => ("uci\n", "uciok"),
            Verbs::Ugi => ("ugi\n", "ugiok"),
        };
        let mut announced = Vec::new();
        self.process.send(hello);
        self.wait(self.startup, hello.trim(), |line| {
            if line.starts_with("option ") {
                announced.extend(Announced::parse(line));
            }
            line == ok
        })?;
        Ok(announced)
    }

    /// Tells the engine of a new game.
    ///
    /// # Errors
    /// If it is not ready in time.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.process.send(match self.verbs {
            Verbs::Uci => "ucinewgame\n",
            Verbs::Ugi => "uginewgame\n",
        });
        self.ready(self.startup)
    }

    /// Asks for a move. `position` and `go` are whole lines without their end. The engine reads the
    /// position before its time begins.
    ///
    /// # Errors
    /// If no move comes in time.
    pub fn ask(&mut self, position: &str, go: &str, budget: Budget) -> Result<Answer, Fault> {
        self.process.send(&format!("{position}\n"));
        self.ready(budget.patience)?;
        self.process.clear_thought();
        let go = format!("{go}\n");
        let start = Instant::now();
        self.process.send(&go);
        let limit = budget.flag.unwrap_or(budget.patience);
        match self.best_move(start + limit)? {
            Some((at, text)) => {
                // The line may have waited while this thread slept over the deadline.
                let time = at.saturating_duration_since(start);
                match budget.flag {
                    Some(flag) if time > flag => Err(Fault::Late(time)),
                    _ => Ok(Answer {
                        text,
                        time,
                        thought: Thought::parse(&self.process.thought()),
                    }),
                }
            }
            None => {
                self.process.send("stop\n");
                match self.best_move(Instant::now() + GRACE)? {
                    Some((at, _)) if budget.flag.is_some() => {
                        Err(Fault::Late(at.saturating_duration_since(start)))
                    }
                    _ => Err(Fault::Silent {
                        to: "go",
                        after: limit,
                        timed: budget.flag.is_some(),
                    }),
                }
            }
        }
    }

    /// Waits for `bestmove`; `None` when the deadline has passed.
    fn best_move(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        loop {
            match self.process.next(deadline) {
                Next::Line(at, line) => {
                    if let Some(text) = best_move_of(&line) {
                        return Ok(Some((at, text.to_owned())));
                    }
                    // An engine that never pauses must not keep this loop from its deadline.
                    if Instant::now() >= deadline {
                        return Ok(None);
                    }
                }
                Next::Timeout => return Ok(None),
                Next::Gone(how) => return Err(Fault::Gone(how)),
                Next::Interrupted => return Err(Fault::Interrupted),
            }
        }
    }

    /// Sends `isready` and waits. A move that comes before the answer belongs to no question.
    fn ready(&mut self, patience: Duration) -> Result<(), Fault> {
        self.process.send("isready\n");
        let mut unasked = None;
        self.wait(patience, "isready", |line| {
            if let Some(text) = best_move_of(line) {
                unasked = Some(text.to_owned());
            }
            line == "readyok"
        })?;
        unasked.map_or(Ok(()), |text| Err(Fault::Unasked(text)))
    }

    /// Reads lines until `done` says so.
    fn wait(
        &mut self,
        patience: Duration,
        to: &'static str,
        mut done: impl FnMut(&str) -> bool,
    ) -> Result<(), Fault> {
        let deadline = Instant::now() + patience;
        loop {
            match self.process.next(deadline) {
                Next::Line(_, line) if done(&line) => return Ok(()),
                // As in `best_move`.
                Next::Line(..) if Instant::now() < deadline => {}
                Next::Line(..) | Next::Timeout => {
                    return Err(Fault::Silent {
                        to,
                        after: patience,
                        timed: false,
                    });
                }
                Next::Gone(how) => return Err(Fault::Gone(how)),
                Next::Interrupted => return Err(Fault::Interrupted),
            }
        }
    }

    /// Asks the engine to leave. Dropping it waits for that and then makes sure of it.
    pub fn ask_to_quit(&mut self) {
        self.process.ask_to_quit();
    }
}

/// The word after `bestmove`.
fn best_move_of(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    (words.next() == Some("bestmove")).then(|| words.next().unwrap_or(""))
}

/// The `setoption` lines, or what is wrong with an option.
fn chosen(
    config: &EngineConfig,
    announced: &[Announced],
    no_capture_limit: u32,
) -> Result<String, String> {
    let find = |name: &str| announced.iter().find(|a| a.name.eq_ignore_ascii_case(name));
    let mut config = config.clone();
    if find(NO_CAPTURE_LIMIT).is_some() {
        config.set_default_option(NO_CAPTURE_LIMIT, &no_capture_limit.to_string());
    }
    let mut lines = String::new();
    for (name, value) in &config.options {
        let Some(option) = find(name) else {
            let names: Vec<&str> = announced.iter().map(|a| a.name.as_str()).collect();
            return Err(format!(
                "no option is called '{name}'; it has: {}",
                names.join(", ")
            ));
        };
        if let Some(why) = option.refuse(value) {
            return Err(format!("option {}: {why}", option.name));
        }
        lines += &match value.is_empty() {
            true => format!("setoption name {}\n", option.name),
            false => format!("setoption name {} value {value}\n", option.name),
        };
    }
    Ok(lines)
}
