//! One session: commands come in, replies go out.
//!
//! Three kinds of threads: one reads lines, one works (search, perft, bench), and the session's own
//! takes the events of both and is the only one that writes.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{Receiver, SyncSender};

use super::command::{Command, Go, Query, is_finite};
use super::input::listen;
use super::reply::{Reply, result_word};
use super::task::{Ending, Task, Work};
use super::xboard;
use crate::engine::Engine;
use crate::rules::{Game, Move, Position};

/// What the session waits for.
pub(super) enum Event {
    /// A line came in.
    Line(String),
    /// No more lines will.
    EndOfInput,
    /// The task has something to say.
    Progress(Reply<'static>),
    /// The task has ended.
    Done(Ending),
}

/// Runs a session until `quit` or the end of the input; one that begins with `xboard` is held in
/// that protocol. A closed output ends it quietly.
///
/// # Errors
/// If writing fails for another reason, or no thread or memory is to be had.
pub fn run<R: BufRead + Send + 'static, W: Write>(input: R, output: W) -> io::Result<()> {
    let (sender, receiver) = listen(input)?;
    let engine = Engine::new().map_err(io::Error::other)?;
    let first = first_event(&receiver)?;
    let result = match &first {
        Event::Line(line) if line.trim() == "xboard" => {
            xboard::serve(engine, output, Position::start(), sender, &receiver)
        }
        _ => serve(engine, output, sender, receiver, first),
    };
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// The first event that is not a blank line: it tells which protocol is spoken.
fn first_event(events: &Receiver<Event>) -> io::Result<Event> {
    loop {
        match events.recv().map_err(io::Error::other)? {
            Event::Line(line) if line.trim().is_empty() => {}
            event => return Ok(event),
        }
    }
}

fn serve<W: Write>(
    engine: Engine,
    output: W,
    events: SyncSender<Event>,
    receiver: Receiver<Event>,
    first: Event,
) -> io::Result<()> {
    let mut session = Session {
        engine,
        output,
        events,
        task: None,
        ugi: false,
        waiting: false,
        leaving: false,
        deferred: VecDeque::from([first]),
    };
    let result = session.serve(&receiver);
    // A task that waits to send must not wait for ever.
    drop(receiver);
    if let Some(mut task) = session.task.take() {
        task.stop();
        task.join();
    }
    result
}

struct Session<W> {
    engine: Engine,
    output: W,
    events: SyncSender<Event>,
    task: Option<Task>,
    /// Spoken to by a UGI tool.
    ugi: bool,
    /// After `wait`: lines are kept until the task has ended.
    waiting: bool,
    /// After `quit` or the end of the input: ends with the task.
    leaving: bool,
    deferred: VecDeque<Event>,
}

impl<W: Write> Session<W> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while !self.leaving || self.task.is_some() {
            let kept = match self.waiting {
                true => None,
                false => self.deferred.pop_front(),
            };
            // The session holds a sender itself: the channel is never closed.
            let event = match kept {
                Some(event) => event,
                None => events.recv().map_err(io::Error::other)?,
            };
            self.take(event)?;
        }
        Ok(())
    }

    fn take(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Progress(reply) => self.say(reply),
            Event::Done(ending) => {
                if let Some(task) = &mut self.task {
                    task.finish(ending);
                }
                self.settle()
            }
            Event::Line(_) | Event::EndOfInput if self.leaving => Ok(()),
            Event::Line(line) => self.line(line),
            Event::EndOfInput if self.waiting => {
                self.deferred.push_back(Event::EndOfInput);
                Ok(())
            }
            Event::EndOfInput => {
                let finite = self.task.as_ref().is_none_or(|task| task.finite);
                self.leave(!finite)
            }
        }
    }

    fn line(&mut self, line: String) -> io::Result<()> {
        match Command::parse(&line) {
            Ok(None) => Ok(()),
            Ok(Some(command @ (Command::Stop | Command::PonderHit))) => self.obey(command),
            _ if self.waiting => {
                self.deferred.push_back(Event::Line(line));
                Ok(())
            }
            Ok(Some(command)) => self.obey(command),
            Err(error) => self.refuse(error),
        }
    }

    fn say(&mut self, reply: Reply<'_>) -> io::Result<()> {
        say(&mut self.output, &reply)
    }

    fn refuse(&mut self, error: impl Display) -> io::Result<()> {
        self.say(Reply::Error(error.to_string()))
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci | Command::Ugi => {
                self.ugi = command == Command::Ugi;
                self.say(Reply::Id(if self.ugi { "ugiok" } else { "uciok" }))
            }
            Command::Debug => Ok(()),
            Command::IsReady => self.say(Reply::ReadyOk),
            Command::Stop => {
                if let Some(task) = &mut self.task {
                    task.stop();
                }
                self.settle()
            }
            Command::PonderHit => {
                if let Some(task) = &mut self.task {
                    task.ponder_hit();
                }
                self.settle()
            }
            Command::Quit => self.leave(true),
            Command::Wait => self.wait(),
            Command::Query(query) => {
                let text = answer(self.engine.game(), &query);
                self.say(Reply::Response(text))
            }
            Command::Help => self.say(Reply::Help),
            Command::Display => {
                let game = self.engine.game();
                say(&mut self.output, &Reply::Board(game))
            }
            Command::Eval => {
                let game = self.engine.game();
                say(&mut self.output, &Reply::Eval(game))
            }
            _ if self.task.is_some() => {
                self.refuse("a search is running, send stop first; the command is ignored")
            }
            command => self.obey_idle(command),
        }
    }

    /// Commands that are taken only while nothing runs.
    fn obey_idle(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::SetOption { name, value } => {
                match self.engine.set_option(&name, value.as_deref()) {
                    Ok(notes) => notes
                        .into_iter()
                        .try_for_each(|note| say(&mut self.output, &Reply::Note(note))),
                    Err(error) => self.refuse(error),
                }
            }
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::Position { position, moves } => {
                match self.engine.set_position(position, &moves) {
                    Ok(()) => Ok(()),
                    Err(error) => self.refuse(format!("{error}; the position is unchanged")),
                }
            }
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.start(Work::Perft {
                game: self.engine.game().clone(),
                depth,
                threads: self.engine.options().threads,
            }),
            Command::Bench => self.start(Work::Bench),
            // The others were obeyed before.
            _ => Ok(()),
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let game = self.engine.game();
        let limits = match go.limits(game.position().side()) {
            Ok(limits) => limits,
            Err(error) => return self.refuse(error),
        };
        let outcome = game.outcome();
        let (finite, infinite, ponder) = (is_finite(&limits), limits.infinite, limits.ponder);
        let job = match self.engine.prepare(limits) {
            Ok(job) => job,
            Err(error) => return self.refuse(format!("{error}; nothing is started")),
        };
        if let Some(outcome) = outcome {
            self.say(Reply::Note(format!("the game is over: {outcome}")))?;
        }
        let wdl = self.engine.show_wdl();
        self.start(Work::Search { job, wdl })?;
        if let Some(task) = &mut self.task {
            task.finite = finite && !ponder;
            task.hold(infinite, ponder);
        }
        Ok(())
    }

    fn start(&mut self, work: Work) -> io::Result<()> {
        match Task::start(work, self.events.clone()) {
            Ok(task) => {
                self.task = Some(task);
                Ok(())
            }
            Err(error) => self.refuse(format!("no thread to work on: {error}")),
        }
    }

    /// Ends the task if its result is there and may be told, and tells it.
    fn settle(&mut self) -> io::Result<()> {
        let Some(task) = self.task.take_if(|task| task.is_over()) else {
            return Ok(());
        };
        self.waiting = false;
        match task.join() {
            None => Ok(()),
            Some(Ending::Report(reply)) => self.say(reply),
            Some(Ending::BestMove(found)) => {
                let told = !self.ugi && self.engine.ponder();
                let reply = found.ponder.filter(|_| told);
                self.say(Reply::BestMove(found.best, reply))
            }
        }
    }

    fn wait(&mut self) -> io::Result<()> {
        match &self.task {
            None => Ok(()),
            Some(task) if task.finite => {
                self.waiting = true;
                Ok(())
            }
            Some(_) => self.refuse("wait: this search does not end by itself, send stop"),
        }
    }

    /// No more commands; ends at once or with the task.
    fn leave(&mut self, stop: bool) -> io::Result<()> {
        self.leaving = true;
        if let Some(task) = &mut self.task
            && stop
        {
            task.stop();
        }
        self.settle()
    }
}

/// Writes a reply as a whole.
fn say(output: &mut impl Write, reply: &Reply<'_>) -> io::Result<()> {
    writeln!(output, "{reply}")?;
    output.flush()
}

fn answer(game: &Game, query: &Query) -> String {
    match query {
        Query::GameOver => game.outcome().is_some().to_string(),
        Query::Turn(side) => (game.position().side() == *side).to_string(),
        Query::Result => result_word(game.outcome()).to_owned(),
        Query::Fen => game.position().to_string(),
        Query::IsLegal(text) => is_legal(game, text).to_string(),
    }
}

fn is_legal(game: &Game, text: &str) -> bool {
    let mv = text.parse::<Move>();
    game.outcome().is_none() && mv.is_ok_and(|mv| mv.check(game.position().board()).is_ok())
}
