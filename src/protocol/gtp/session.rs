//! A session with GoGui or another controller of this protocol.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{Receiver, SyncSender};

use super::clock::Clocks;
use super::request::Request;
use super::rules;
use super::think::{Purpose, Search};
use crate::engine::Engine;
use crate::protocol::Setup;
use crate::protocol::input::listen;
use crate::protocol::leg_game::LegGame;
use crate::protocol::session::Event;
use crate::rules::{Move, Position};

/// Every command, in the order in which they are listed.
const COMMANDS: [&str; 33] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "query_boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "final_score",
    "time_settings",
    "time_left",
    "gogui-interrupt",
    "gogui-rules_game_id",
    "gogui-rules_board_size",
    "gogui-rules_board",
    "gogui-rules_board_gfx",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_captured_count",
    "gogui-rules_final_result",
    "gogui-analyze_commands",
    "alquerque-bestmove",
    "alquerque-bestmove_gfx",
    "alquerque-value",
    "alquerque-position",
    "alquerque-setoption",
];

/// What GoGui puts into its menu of analysis: kind, label, command.
const ANALYZE_COMMANDS: &str = "\
string/Best move/alquerque-bestmove
gfx/Show best move/alquerque-bestmove_gfx
string/Value/alquerque-value
string/Position/alquerque-position
gfx/Possible points/gogui-rules_board_gfx";

/// Runs a session until `quit` or the end of the input. A closed output ends it quietly.
///
/// # Errors
/// If writing fails for another reason, or no thread or memory is to be had.
pub fn run<R: BufRead + Send + 'static, W: Write>(input: R, output: W) -> io::Result<()> {
    let (sender, receiver) = listen(input)?;
    let mut session = Session {
        engine: Engine::new().map_err(io::Error::other)?,
        game: LegGame::new(Position::start(), 0),
        output,
        events: sender,
        clocks: Clocks::default(),
        search: None,
        plan: None,
        over: false,
    };
    let result = session.serve(&receiver);
    // A task that waits to send must not wait for ever.
    drop(receiver);
    if let Some(mut search) = session.search.take() {
        search.task.stop();
        search.task.join();
    }
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

pub(super) struct Session<W> {
    pub(super) engine: Engine,
    pub(super) game: LegGame,
    output: W,
    pub(super) events: SyncSender<Event>,
    pub(super) clocks: Clocks,
    pub(super) search: Option<Search>,
    /// The turn that `genmove` has begun, and where.
    pub(super) plan: Option<(Position, Move)>,
    over: bool,
}

/// The answer to a command, or nothing if it comes later.
pub(super) type Answer = Result<Option<String>, String>;

impl<W: Write> Session<W> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut waiting: VecDeque<Event> = VecDeque::new();
        while !self.over || self.search.is_some() {
            let kept = match self.search {
                Some(_) => None,
                None => waiting.pop_front(),
            };
            let event = match kept {
                Some(event) => event,
                None => events.recv().map_err(io::Error::other)?,
            };
            match event {
                Event::Line(line) if line.trim() == "# interrupt" => {
                    if let Some(search) = &mut self.search {
                        search.task.stop();
                    }
                }
                // Commands are taken one by one.
                Event::Line(_) | Event::EndOfInput if self.search.is_some() => {
                    waiting.push_back(event);
                }
                Event::Line(line) => self.line(&line)?,
                Event::EndOfInput => self.over = true,
                Event::Progress(reply) => self.note(reply),
                Event::Done(ending) => self.done(ending.best_move())?,
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        let Some(request) = Request::parse(line) else {
            return Ok(());
        };
        match self.obey(&request) {
            Ok(None) => Ok(()),
            Ok(Some(text)) => self.answer(&request, &Ok(text)),
            Err(text) => self.answer(&request, &Err(text)),
        }
    }

    pub(super) fn answer(
        &mut self,
        request: &Request,
        result: &Result<String, String>,
    ) -> io::Result<()> {
        self.output.write_all(request.answer(result).as_bytes())?;
        self.output.flush()
    }

    fn obey(&mut self, request: &Request) -> Answer {
        let text = match request.name.as_str() {
            "genmove" => return self.think(request, Purpose::Play),
            "reg_genmove" => return self.think(request, Purpose::Name),
            "alquerque-bestmove" => return self.think(request, Purpose::BestMove),
            "alquerque-bestmove_gfx" => return self.think(request, Purpose::Graphics),
            "alquerque-value" => return self.think(request, Purpose::Value),
            "quit" => {
                self.over = true;
                String::new()
            }
            "boardsize" => self.board_size(request)?,
            "clear_board" => self.set_up(Position::start(), &[])?,
            "komi" => request.argument(0, "a number").map(|_| String::new())?,
            "play" => self.play(request)?,
            "undo" => self.undo()?,
            "time_settings" => self.time_settings(request)?,
            "time_left" => self.time_left(request)?,
            "alquerque-position" => self.position(request)?,
            "alquerque-setoption" => self.set_option(request)?,
            _ => self.tell(request)?,
        };
        Ok(Some(text))
    }

    /// Commands that change nothing.
    fn tell(&self, request: &Request) -> Result<String, String> {
        let game = &self.game;
        Ok(match request.name.as_str() {
            "protocol_version" => "2".to_owned(),
            "name" | "gogui-rules_game_id" => "Alquerque".to_owned(),
            "version" => env!("CARGO_PKG_VERSION").to_owned(),
            "known_command" => {
                let name = request.arguments.first().map(String::as_str);
                name.is_some_and(|name| COMMANDS.contains(&name))
                    .to_string()
            }
            "list_commands" => COMMANDS.join("\n"),
            "query_boardsize" | "gogui-rules_board_size" => "5".to_owned(),
            "showboard" => rules::showboard(game),
            "final_score" => rules::final_score(game)?,
            "gogui-interrupt" => String::new(),
            "gogui-rules_board" => rules::board(game),
            "gogui-rules_board_gfx" => rules::board_gfx(game),
            "gogui-rules_legal_moves" => rules::legal_moves(game),
            "gogui-rules_side_to_move" => rules::side_to_move(game),
            "gogui-rules_captured_count" => rules::captured_count(game),
            "gogui-rules_final_result" => rules::final_result(game),
            "gogui-analyze_commands" => ANALYZE_COMMANDS.to_owned(),
            _ => return Err("unknown command".to_owned()),
        })
    }

    fn board_size(&mut self, request: &Request) -> Result<String, String> {
        match request.argument(0, "a number")? {
            "5" => self.set_up(Position::start(), &[]),
            _ => Err("unacceptable size".to_owned()),
        }
    }

    fn set_up(&mut self, start: Position, moves: &[String]) -> Result<String, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{error}; the position is unchanged");
        let mut game = LegGame::new(start, self.engine.game().no_capture_limit());
        for text in moves {
            let mv: Move = text.parse().map_err(|error| wrong(&error))?;
            let illegal = |error| wrong(&format!("illegal move {mv}: {error}"));
            game.play(mv).map_err(illegal)?;
        }
        self.game = game;
        self.clocks.restart();
        Ok(String::new())
    }

    /// Plays one point.
    fn play(&mut self, request: &Request) -> Result<String, String> {
        let (side, point) = (request.color(0)?, request.vertex(1)?);
        if side != self.game.side() && self.game.outcome().is_none() {
            let color = rules::color(self.game.side());
            return Err(format!("illegal move: it is {color}'s turn"));
        }
        let played = self.game.push(point);
        let wrong = |error| format!("illegal move: {error}");
        played.map(|_| String::new()).map_err(wrong)
    }

    fn undo(&mut self) -> Result<String, String> {
        match self.game.pop() {
            true => Ok(String::new()),
            false => Err("cannot undo: this is the start of the game".to_owned()),
        }
    }

    fn time_settings(&mut self, request: &Request) -> Result<String, String> {
        let numbers = (
            request.seconds(0)?,
            request.seconds(1)?,
            request.seconds(2)?,
        );
        self.clocks.set(numbers.0, numbers.1, numbers.2);
        Ok(String::new())
    }

    fn time_left(&mut self, request: &Request) -> Result<String, String> {
        let (seconds, stones) = (request.seconds(1)?, request.seconds(2)?);
        self.clocks.tell(request.color(0)?, seconds, stones);
        Ok(String::new())
    }

    /// Tells the position, or sets one up.
    fn position(&mut self, request: &Request) -> Result<String, String> {
        if request.arguments.is_empty() {
            return Ok(self.game.game().position().to_string());
        }
        let text = request.arguments.join(" ");
        let setup: Setup = text
            .parse()
            .map_err(|error| format!("{error}; the position is unchanged"))?;
        self.set_up(setup.position, &setup.moves)
    }

    fn set_option(&mut self, request: &Request) -> Result<String, String> {
        const USAGE: &str = "alquerque-setoption needs NAME = VALUE, as in Hash = 64";
        let text = request.arguments.join(" ");
        let (name, value) = text.split_once('=').ok_or(USAGE)?;
        let value = Some(value.trim()).filter(|value| !value.is_empty());
        let set = self.engine.set_option(name.trim(), value);
        set.map_err(|error| error.to_string())?;
        let limit = self.engine.game().no_capture_limit();
        self.game.set_no_capture_limit(limit);
        Ok(String::new())
    }
}
