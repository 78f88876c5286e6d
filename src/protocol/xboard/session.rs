//! A session with XBoard: which side the engine plays, the moves of both, and every command.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{Receiver, SyncSender};

use super::command::{Command, Failure};
use super::hand::Hand;
use super::notation::{board, parse_board};
use super::think::{Purpose, Running, TimeControl};
use crate::engine::{Engine, OPTIONS, OptionKind};
use crate::protocol::input::listen;
use crate::protocol::leg_game::LegGame;
use crate::protocol::reply::{Reply, printable, short};
use crate::protocol::session::Event;
use crate::rules::{Move, Position, Side};
use crate::search::Score;

/// What the engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// It only keeps the score of the game.
    Force,
    /// It plays this side.
    Play(Side),
    /// It thinks about whatever stands on the board.
    Analyse,
}

pub(super) struct Session<'a, W> {
    pub(super) engine: Engine,
    pub(super) game: LegGame,
    /// Where each game begins, unless XBoard says otherwise.
    start: Position,
    output: W,
    pub(super) events: SyncSender<Event>,
    receiver: &'a Receiver<Event>,
    /// Lines that came in while the end of a search was waited for.
    waiting: VecDeque<Event>,
    pub(super) mode: Mode,
    pub(super) running: Option<Running>,
    /// The points that each move of XBoard touched, 0 for a pass.
    pub(super) plies: Vec<usize>,
    /// The rest of this own move is to be sent after a pass.
    pub(super) plan: Option<Move>,
    pub(super) hand: Hand,
    pub(super) time: TimeControl,
    pub(super) post: bool,
    pub(super) ponder: bool,
    /// The other side is a program, which passes by itself.
    pub(super) computer: bool,
    /// The reply the engine expects.
    pub(super) expected: Option<Move>,
    /// Score of the engine's last own search, from its side.
    pub(super) score: Option<Score>,
    /// Own moves in a row that were proven to lose.
    pub(super) hopeless: u32,
    /// Answered when the engine has moved.
    pub(super) pings: Vec<String>,
    over: bool,
}

/// Runs a session until `quit` or the end of the input, with games that begin with `start`. A closed
/// output ends it quietly.
///
/// # Errors
/// If writing fails for another reason, or no thread or memory is to be had.
pub fn run<R: BufRead + Send + 'static, W: Write>(
    input: R,
    output: W,
    start: Position,
) -> io::Result<()> {
    let (sender, receiver) = listen(input)?;
    let engine = Engine::new().map_err(io::Error::other)?;
    let result = serve(engine, output, start, sender, &receiver);
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// The session, when the input is heard already.
pub(in crate::protocol) fn serve<W: Write>(
    engine: Engine,
    output: W,
    start: Position,
    events: SyncSender<Event>,
    receiver: &Receiver<Event>,
) -> io::Result<()> {
    let mut session = Session {
        engine,
        game: LegGame::new(start, 0),
        start,
        output,
        events,
        receiver,
        waiting: VecDeque::new(),
        mode: Mode::Force,
        running: None,
        plies: Vec::new(),
        plan: None,
        hand: Hand::default(),
        time: TimeControl::default(),
        post: false,
        ponder: false,
        computer: false,
        expected: None,
        score: None,
        hopeless: 0,
        pings: Vec::new(),
        over: false,
    };
    let result = session.serve();
    session.abort();
    result
}

impl<W: Write> Session<'_, W> {
    fn serve(&mut self) -> io::Result<()> {
        while !self.over || self.is_thinking() {
            let event = match self.waiting.pop_front() {
                Some(event) => event,
                None => self.receiver.recv().map_err(io::Error::other)?,
            };
            match event {
                Event::Line(_) if self.over => {}
                Event::Line(line) => self.line(&line)?,
                Event::EndOfInput => self.over = true,
                Event::Progress(Reply::Info { info, .. }) => self.note(info)?,
                Event::Progress(reply) => self.say(format!("# {reply}"))?,
                Event::Done(ending) => {
                    if let Some(running) = &mut self.running {
                        running.task.finish(ending);
                    }
                    self.settle()?;
                }
            }
        }
        Ok(())
    }

    /// Stops a search and waits for its end; what it found is forgotten.
    pub(super) fn abort(&mut self) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        running.task.stop();
        while !running.task.is_over() {
            match self.receiver.recv() {
                Ok(Event::Done(ending)) => running.task.finish(ending),
                Ok(Event::Progress(_)) => {}
                Ok(event) => self.waiting.push_back(event),
                Err(_) => break,
            }
        }
        running.task.join();
    }

    pub(super) fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    pub(super) fn error(&mut self, reason: &str, line: &str) -> io::Result<()> {
        let line = printable(&short(line.trim()));
        self.say(format!("Error ({reason}): {line}"))
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        match Command::parse(line) {
            None => Ok(()),
            Some(Ok(command)) => self.obey(command, line),
            Some(Err(Failure::Unknown)) => self.error("unknown command", line),
            Some(Err(Failure::Needs(what))) => self.error(&format!("needs {what}"), line),
        }
    }

    fn obey(&mut self, command: Command, line: &str) -> io::Result<()> {
        match command {
            Command::Ignore => Ok(()),
            Command::Features => self.features(),
            Command::New => self.new_game(),
            Command::Variant(name) => self.variant(&name, line),
            Command::Quit => {
                self.abort();
                self.over = true;
                Ok(())
            }
            Command::Force | Command::Result => self.set_mode(Mode::Force),
            Command::Go => self.set_mode(Mode::Play(self.game.side())),
            Command::PlayOther => self.set_mode(Mode::Play(self.game.side().other())),
            Command::Analyze(true) => self.set_mode(Mode::Analyse),
            Command::Analyze(false) => match self.mode {
                Mode::Analyse => self.set_mode(Mode::Force),
                _ => Ok(()),
            },
            Command::Move(text) => self.user_move(&text),
            Command::MoveNow => self.move_now(),
            Command::Ping(number) => match self.is_thinking() {
                true => {
                    self.pings.push(number);
                    Ok(())
                }
                false => self.say(format!("pong {number}")),
            },
            Command::SetBoard(text) => self.set_board(&text),
            Command::Undo(count) => self.undo(count, line),
            Command::Hint => self.hint(),
            Command::Draw => self.draw(),
            Command::Status => self.status(),
            Command::Lift(point) => self.touch(Hand::lift, point),
            Command::Put(point) => self.touch(Hand::put, point),
            // The marks stand already.
            Command::Hover(_) => Ok(()),
            command => self.set(command, line),
        }
    }

    /// Commands that set something for later.
    fn set(&mut self, command: Command, line: &str) -> io::Result<()> {
        let result = match command {
            Command::Post(post) => {
                self.post = post;
                Ok(())
            }
            Command::Ponder(ponder) => {
                self.ponder = ponder;
                if !ponder && self.is_pondering() {
                    self.abort();
                }
                Ok(())
            }
            Command::Computer => {
                self.computer = true;
                Ok(())
            }
            Command::Memory(mib) => self.set_option("Hash", Some(&mib)),
            Command::Cores(count) => self.set_option("Threads", Some(&count)),
            Command::SetOption(text) => {
                let (name, value) = match text.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (text.as_str(), None),
                };
                self.set_option(name, value)
            }
            command => {
                self.time.set(&command);
                Ok(())
            }
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.error(&error, line),
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let check = |spec: &crate::engine::OptionSpec| matches!(spec.kind, OptionKind::Check(_));
        let is_check = OPTIONS
            .iter()
            .any(|spec| spec.name.eq_ignore_ascii_case(name) && check(spec));
        let value = match value {
            Some("1") if is_check => Some("true"),
            Some("0") if is_check => Some("false"),
            value => value,
        };
        // The table must not change under a search.
        self.abort_unless_thinking()?;
        let set = self.engine.set_option(name, value);
        set.map_err(|error| error.to_string())?;
        let limit = self.engine.game().no_capture_limit();
        self.game.set_no_capture_limit(limit);
        Ok(())
    }

    fn abort_unless_thinking(&mut self) -> Result<(), String> {
        if self.is_thinking() {
            return Err("command not legal now, the engine is thinking".to_owned());
        }
        self.abort();
        Ok(())
    }

    fn features(&mut self) -> io::Result<()> {
        let name = format!("Alquerque {}", env!("CARGO_PKG_VERSION"));
        self.say("feature done=0")?;
        self.say(format!(
            "feature ping=1 setboard=1 usermove=1 playother=1 draw=1 analyze=1 sigint=0 sigterm=0 \
             colors=0 debug=1 highlight=1 memory=1 smp=1 san=0 name=0 nps=0 reuse=1 \
             myname=\"{name}\" variants=\"alquerque,normal\""
        ))?;
        for spec in &OPTIONS {
            let kind = match spec.kind {
                // XBoard has commands of its own for these.
                _ if ["Hash", "Threads", "Ponder"].contains(&spec.name) => continue,
                OptionKind::Check(default) => format!("-check {}", i32::from(default)),
                OptionKind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
                OptionKind::Button => "-button".to_owned(),
                OptionKind::Text => "-path ".to_owned(),
            };
            self.say(format!("feature option=\"{} {kind}\"", spec.name))?;
        }
        self.say("feature done=1")
    }

    fn variant(&mut self, name: &str, line: &str) -> io::Result<()> {
        match name {
            "alquerque" => {
                let start = board(&self.start);
                self.say(format!("setup 5x5+0_fairy {start}"))
            }
            _ => self.error("unsupported variant, try alquerque", line),
        }
    }

    /// A new game, in which the engine plays Black.
    fn new_game(&mut self) -> io::Result<()> {
        self.abort();
        self.engine.new_game();
        self.time.depth = None;
        self.computer = false;
        self.set_up(self.start);
        self.mode = Mode::Play(Side::Black);
        Ok(())
    }

    fn set_up(&mut self, position: Position) {
        self.game = LegGame::new(position, self.engine.game().no_capture_limit());
        self.plies.clear();
        self.plan = None;
        self.hand = Hand::default();
        self.expected = None;
        self.score = None;
        self.hopeless = 0;
        self.pings.clear();
    }

    fn set_board(&mut self, text: &str) -> io::Result<()> {
        match parse_board(text) {
            Ok(position) => {
                self.abort();
                self.set_up(position);
                self.carry_on()
            }
            Err(error) => {
                let text = printable(&error.to_string());
                self.say(format!("tellusererror Illegal position: {text}"))
            }
        }
    }

    fn set_mode(&mut self, mode: Mode) -> io::Result<()> {
        self.abort();
        self.mode = mode;
        self.pings_out()?;
        if matches!(mode, Mode::Play(_)) {
            self.tell_result()?;
        }
        self.carry_on()
    }

    /// Does what the mode asks for in the present position.
    pub(super) fn carry_on(&mut self) -> io::Result<()> {
        if self.game.outcome().is_some() {
            return Ok(());
        }
        match self.mode {
            Mode::Play(side) if side == self.game.side() && self.game.path().is_empty() => {
                self.begin(Purpose::Think)
            }
            Mode::Play(side) if side != self.game.side() && self.ponder => {
                match self.expected.filter(|_| self.game.path().is_empty()) {
                    Some(mv) => self.begin(Purpose::Ponder(mv)),
                    None => Ok(()),
                }
            }
            Mode::Analyse => self.begin(Purpose::Analyse),
            _ => Ok(()),
        }
    }

    pub(super) fn pings_out(&mut self) -> io::Result<()> {
        for number in std::mem::take(&mut self.pings) {
            self.say(format!("pong {number}"))?;
        }
        Ok(())
    }
}
