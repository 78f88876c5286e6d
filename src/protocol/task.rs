//! Work that takes time and runs beside the session: search, perft, bench.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{Builder, JoinHandle};
use std::{io, mem};

use super::bench::{BENCH_DEPTH, bench};
use super::reply::{PerftReport, Reply};
use super::session::Event;
use crate::engine::{Job, divide};
use crate::rules::Game;
use crate::search::{BestMove, CurrentMove, Info, Observer, Signal};

/// Searching threads go deep.
const STACK: usize = 16 << 20;

/// What a task is to do.
pub(super) enum Work {
    Search {
        job: Job,
        wdl: bool,
    },
    Perft {
        game: Game,
        depth: u32,
        threads: usize,
    },
    Bench,
}

/// What a task ends with. It is told only when the task is over, so that who has read it may send
/// the next command.
pub(super) enum Ending {
    /// The result of a search.
    BestMove(BestMove),
    /// The last words of other work.
    Report(Reply<'static>),
}

impl Ending {
    /// The result, if it was a search.
    pub(super) fn best_move(self) -> Option<BestMove> {
        match self {
            Ending::BestMove(found) => Some(found),
            Ending::Report(_) => None,
        }
    }
}

/// A running task.
pub(super) struct Task {
    signal: Arc<Signal>,
    thread: JoinHandle<()>,
    /// It ends by itself.
    pub finite: bool,
    /// No result is told before a stop.
    infinite: bool,
    /// No result is told before a stop or ponder hit.
    ponder: bool,
    /// What it found, once it has ended.
    ending: Option<Ending>,
}

impl Task {
    pub(super) fn start(work: Work, events: SyncSender<Event>) -> io::Result<Task> {
        let signal = Arc::new(Signal::default());
        let inner = Arc::clone(&signal);
        let run = move || {
            let ending = work.run(&inner, &events);
            // A session that has ended needs no result.
            let _ = events.send(Event::Done(ending));
        };
        Ok(Task {
            signal,
            thread: Builder::new().stack_size(STACK).spawn(run)?,
            finite: true,
            infinite: false,
            ponder: false,
            ending: None,
        })
    }

    /// The result is kept until a stop, or a ponder hit.
    pub(super) fn hold(&mut self, infinite: bool, ponder: bool) {
        (self.infinite, self.ponder) = (infinite, ponder);
    }

    pub(super) fn is_held(&self) -> bool {
        self.infinite || self.ponder
    }

    pub(super) fn stop(&mut self) {
        self.hold(false, false);
        self.signal.stop();
    }

    pub(super) fn ponder_hit(&mut self) {
        if mem::take(&mut self.ponder) {
            self.signal.ponder_hit();
        }
    }

    pub(super) fn finish(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }

    /// Whether the result is there and may be told.
    pub(super) fn is_over(&self) -> bool {
        self.ending.is_some() && !self.is_held()
    }

    /// Waits for the thread and gives what it found.
    pub(super) fn join(self) -> Option<Ending> {
        // A panic was caught and reported inside the thread.
        let _ = self.thread.join();
        self.ending
    }
}

/// Tells the session how its search gets on.
struct Teller<'a> {
    say: &'a dyn Fn(Reply<'static>),
    wdl: bool,
}

impl Observer for Teller<'_> {
    fn line(&mut self, info: &Info) {
        let (info, wdl) = (info.clone(), self.wdl);
        (self.say)(Reply::Info { info, wdl });
    }

    fn current_move(&mut self, current: CurrentMove) {
        (self.say)(Reply::CurrentMove(current));
    }
}

impl Work {
    fn run(self, signal: &Signal, events: &SyncSender<Event>) -> Ending {
        // A session that has ended needs no progress.
        let say = |reply: Reply<'static>| {
            let _ = events.send(Event::Progress(reply));
        };
        let fault = || Reply::Error("internal fault, please report it".to_owned());
        let fallback = match &self {
            Work::Search { job, .. } => Some(any_move(job.game())),
            _ => None,
        };
        let caught = catch_unwind(AssertUnwindSafe(|| self.run_inner(signal, &say)));
        caught.unwrap_or_else(|_| match fallback {
            Some(found) => {
                say(fault());
                Ending::BestMove(found)
            }
            None => Ending::Report(fault()),
        })
    }

    fn run_inner(self, signal: &Signal, say: &dyn Fn(Reply<'static>)) -> Ending {
        Ending::Report(match self {
            Work::Search { job, wdl } => {
                return Ending::BestMove(job.run(signal, &mut Teller { say, wdl }));
            }
            Work::Perft {
                game,
                depth,
                threads,
            } => perft(&game, depth, threads, signal),
            Work::Bench => match bench(BENCH_DEPTH, signal, &mut |line| say(Reply::Note(line))) {
                Ok(_) if signal.is_stopped() => Reply::Error("bench stopped".to_owned()),
                Ok(result) => Reply::Text(result.to_string()),
                Err(error) => Reply::Error(error.to_string()),
            },
        })
    }
}

fn perft(game: &Game, depth: u32, threads: usize, signal: &Signal) -> Reply<'static> {
    if depth == 0 {
        return Reply::Text("\nNodes searched: 1".to_owned());
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool,
        Err(error) => return Reply::Error(error.to_string()),
    };
    match pool.install(|| divide(game, depth, signal)) {
        Some(counts) => Reply::Perft(PerftReport(counts)),
        None => Reply::Error("perft stopped".to_owned()),
    }
}

/// Some legal move, for the case that a search breaks down.
fn any_move(game: &Game) -> BestMove {
    let best = match game.outcome() {
        None => game.position().board().moves().first().copied(),
        Some(_) => None,
    };
    BestMove {
        best,
        ponder: None,
        nodes: 0,
    }
}
