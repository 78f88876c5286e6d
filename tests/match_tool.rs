//! A driver that behaves like the generic match tool cutegames: it knows no rules, sends `position`,
//! `query` and `go`, nothing else, and takes every reply for exactly two words.

mod common;

use std::time::{Duration, Instant};

use alquerque::rules::{Game, Move, Outcome, Position, Side};
use common::Program;

/// An engine as the tool sees it.
struct Engine(Program);

impl Engine {
    fn start(options: &[&str]) -> Engine {
        let mut program = Program::start();
        program.send("ugi");
        let lines = program.until("ugiok");
        assert_eq!(lines.last().map(String::as_str), Some("ugiok"));
        for line in &lines[..lines.len() - 1] {
            assert!(
                line.starts_with("id ") || line.starts_with("option name "),
                "{line}"
            );
        }
        for option in options {
            program.send(&format!("setoption name {option}"));
        }
        let mut engine = Engine(program);
        engine.is_ready();
        engine
    }

    fn is_ready(&mut self) {
        self.0.send("isready");
        assert_eq!(self.0.line(), "readyok");
    }

    /// The second of exactly two words, the first being this one.
    fn word(line: &str, first: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(
            words.len() == 2 && words[0] == first && !words[1].is_empty(),
            "'{line}'"
        );
        words[1].to_owned()
    }

    fn query(&mut self, what: &str) -> String {
        self.0.send(&format!("query {what}"));
        Engine::word(&self.0.line(), "response")
    }

    fn go(&mut self, clocks: [Duration; 2]) -> String {
        let [first, second] = clocks.map(|clock| clock.as_millis());
        self.0.send(&format!(
            "go p1time {first} p2time {second} p1inc 20 p2inc 20"
        ));
        Engine::word(&self.0.find("bestmove"), "bestmove")
    }
}

/// Plays a game between two engines; returns the moves and the result that both agree on.
fn play(engines: &mut [Engine; 2], start: &str) -> (Vec<String>, String) {
    let mut clocks = [Duration::from_millis(1500); 2];
    let mut moves: Vec<String> = Vec::new();
    for engine in engines.iter_mut() {
        engine.0.send("uginewgame");
        engine.is_ready();
    }
    loop {
        let list = if moves.is_empty() {
            String::new()
        } else {
            format!(" moves {}", moves.join(" "))
        };
        for engine in engines.iter_mut() {
            engine.0.send(&format!("position fen {start}{list}"));
        }
        let over = engines[0].query("gameover");
        assert_eq!(over, engines[1].query("gameover"));
        if over == "true" {
            let result = engines[0].query("result");
            assert_eq!(result, engines[1].query("result"));
            return (moves, result);
        }
        assert_eq!(engines[0].query("result"), "none");
        let mover = usize::from(engines[0].query("p1turn") == "false");
        let clock = Instant::now();
        moves.push(engines[mover].go(clocks));
        let used = clock.elapsed();
        assert!(
            used < clocks[mover],
            "{used:?} of {:?}: lost on time",
            clocks[mover]
        );
        clocks[mover] = clocks[mover] - used + Duration::from_millis(20);
        assert!(
            moves.len() < 1000,
            "the engines declare draws by repetition themselves"
        );
    }
}

#[test]
fn games_are_played_to_a_result_that_the_rules_confirm() {
    let mut engines = [
        Engine::start(&[]),
        Engine::start(&["Hash value 4", "Contempt value -20"]),
    ];
    for start in [
        "bbbbb/bbbbb/bb1ww/wwwww/wwwww w 0 1",
        // A stone ahead: a decision is likely.
        "bbbbb/bb1bb/1b1ww/wwwww/wwwww b 0 1",
        // One stone each: nobody can win, so it ends by repetition.
        "4b/5/5/5/w4 w 0 1",
    ] {
        let (moves, result) = play(&mut engines, start);
        let position: Position = start.parse().expect("a position");
        let mut game = Game::new(position, 0);
        for text in &moves {
            let mv: Move = text.parse().expect("a move");
            game.play(mv).expect("a legal move");
        }
        let expected = match game.outcome() {
            Some(Outcome::Win(Side::White, _)) => "p1win",
            Some(Outcome::Win(Side::Black, _)) => "p2win",
            Some(Outcome::Draw(_)) => "draw",
            None => "none",
        };
        assert_eq!(result, expected, "{start} {moves:?}");
        if start.starts_with("4b") {
            assert_eq!(result, "draw");
        }
    }
}

#[test]
fn no_reply_has_more_words_or_trailing_blanks() {
    let mut engine = Engine::start(&["Ponder value true"]);
    for position in [
        "startpos",
        "startpos moves c2c3",
        "fen 5/5/5/5/4b w",
        "fen 5/4b/4w/5/w4 w",
    ] {
        engine.0.send(&format!("position {position}"));
        for what in ["gameover", "p1turn", "p2turn", "result"] {
            engine.query(what);
        }
        let best = engine.go([Duration::from_millis(300); 2]);
        assert!(best == "(none)" || best.parse::<Move>().is_ok(), "{best}");
    }
}
