//! Replays records: every move, result and reason is checked against the rules.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::journal::{JournalError, read_journal};
use super::read::{PgnGame, PgnReader};
use crate::arena::game::{GameRecord, Reason};
use crate::rules::{Game, Move, Position, Side};

/// The most problems that are kept in words; all are counted.
const MAX_TOLD: usize = 100;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// Games replayed.
    pub games: u64,
    /// Moves replayed.
    pub moves: u64,
    /// The number of problems.
    pub problem_count: u64,
    /// The first problems in words.
    pub problems: Vec<String>,
}

/// Why a file cannot be checked at all.
#[derive(Debug, Error)]
pub enum CheckError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// It is a broken journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Checks a file of games in PGN shape or a journal.
///
/// # Errors
/// If it cannot be read. Wrong games are no errors but problems.
pub fn check_file(path: &Path) -> Result<CheckReport, CheckError> {
    let io = |error| CheckError::Io(path.to_owned(), error);
    let mut input = BufReader::new(File::open(path).map_err(io)?);
    let mut report = CheckReport::default();
    if input.fill_buf().map_err(io)?.first() == Some(&b'{') {
        read_journal(path, |record| {
            report.add(
                &format!("game {}", record.game),
                &Claimed::of_record(&record),
            );
        })?;
        return Ok(report);
    }
    let mut reader = PgnReader::new(input);
    while let Some(game) = reader.next_game().map_err(io)? {
        let place = format!("game {} (line {})", report.games + 1, game.line);
        report.add(&place, &Claimed::of_pgn(&game));
    }
    Ok(report)
}

impl CheckReport {
    fn add(&mut self, place: &str, claimed: &Claimed<'_>) {
        self.games += 1;
        self.moves += claimed.moves.len() as u64;
        for problem in claimed.problems() {
            self.problem_count += 1;
            if self.problems.len() < MAX_TOLD {
                self.problems.push(format!("{place}: {problem}"));
            }
        }
    }
}

/// What a record says about a game.
struct Claimed<'a> {
    position: Option<&'a str>,
    no_capture_limit: Result<u32, String>,
    moves: Vec<&'a str>,
    /// All results that are given; they must agree.
    results: Vec<&'a str>,
    plies: Option<String>,
    reason: Option<&'a str>,
    termination: Option<&'a str>,
}

impl<'a> Claimed<'a> {
    fn of_record(record: &'a GameRecord) -> Claimed<'a> {
        Claimed {
            position: Some(&record.position),
            no_capture_limit: Ok(record.no_capture_limit),
            moves: record.moves.iter().map(|mv| mv.text.as_str()).collect(),
            results: vec![record.result.text()],
            plies: Some(record.plies.to_string()),
            reason: Some(record.reason.word()),
            termination: None,
        }
    }

    fn of_pgn(game: &'a PgnGame) -> Claimed<'a> {
        let limit = game.tag("NoCaptureLimit").unwrap_or("0");
        Claimed {
            position: game.tag("FEN"),
            no_capture_limit: limit
                .parse()
                .map_err(|_| format!("NoCaptureLimit '{limit}' is not a number")),
            moves: game.moves.iter().map(String::as_str).collect(),
            results: game
                .tag("Result")
                .into_iter()
                .chain([game.result.as_str()])
                .collect(),
            plies: game.tag("PlyCount").map(str::to_owned),
            reason: game.tag("Reason"),
            termination: game.tag("Termination"),
        }
    }

    fn problems(&self) -> Vec<String> {
        let game = match self.replay() {
            Ok(game) => game,
            Err(problem) => return vec![problem],
        };
        let mut problems = Vec::new();
        let plies = self.moves.len().to_string();
        if let Some(told) = self.plies.as_ref().filter(|told| **told != plies) {
            problems.push(format!("it has {plies} plies, not {told}"));
        }
        let result = self.results.first().copied().unwrap_or("");
        if let Some(other) = self.results.iter().find(|other| **other != result) {
            problems.push(format!("the results '{result}' and '{other}' differ"));
        }
        problems.extend(self.wrong_end(&game, result));
        problems
    }

    fn replay(&self) -> Result<Game, String> {
        let position = match self.position {
            None => Position::start(),
            Some(text) => text.parse().map_err(|e| format!("{e}"))?,
        };
        let mut game = Game::new(position, self.no_capture_limit.clone()?);
        for (index, text) in self.moves.iter().enumerate() {
            let at = |why: String| format!("ply {}: {why}", index + 1);
            let mv: Move = text.parse().map_err(|e| at(format!("{e}")))?;
            game.play(mv).map_err(|e| at(e.to_string()))?;
        }
        Ok(game)
    }

    /// What is wrong with result and reason.
    fn wrong_end(&self, game: &Game, result: &str) -> Option<String> {
        let reason = match self.reason {
            None => None,
            Some(word) => match Reason::from_word(word) {
                None => return Some(format!("no reason is called '{word}'")),
                reason => reason,
            },
        };
        if let (Some(reason), Some(told)) = (reason, self.termination)
            && reason.pgn() != told
        {
            return Some(format!(
                "Termination '{told}' does not fit {}",
                reason.word()
            ));
        }
        if let Some(outcome) = game.outcome() {
            let (true_result, true_reason) = Reason::of_outcome(outcome);
            let agrees = result == true_result.text() && reason.is_none_or(|r| r == true_reason);
            let told = reason.map_or("", Reason::word);
            return (!agrees).then(|| {
                let truth = format!("{} {}", true_result.text(), true_reason.word());
                format!("it ended {truth}, not {result} {told}")
            });
        }
        let mover = game.position().side();
        let lost_by_mover = match mover {
            Side::White => "0-1",
            Side::Black => "1-0",
        };
        let fits = match reason {
            Some(Reason::DrawAdjudication | Reason::LengthAdjudication) => result == "1/2-1/2",
            Some(Reason::ResignAdjudication) => matches!(result, "1-0" | "0-1"),
            Some(Reason::TableAdjudication) => result != "*",
            // Whoever is to move, either engine can have failed to begin.
            Some(Reason::StartFailure) => matches!(result, "1-0" | "0-1"),
            Some(fault) if fault.is_fault() => result == lost_by_mover,
            Some(_) => false,
            None => result == "*" || self.termination.is_some_and(|told| told != "normal"),
        };
        let told = reason
            .map(Reason::word)
            .or(self.termination)
            .unwrap_or("no reason");
        (!fits).then(|| {
            format!("{result} ({told}) does not follow: the game goes on, {mover} to move")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Vec<String> {
        let mut report = CheckReport::default();
        let mut reader = PgnReader::new(text.as_bytes());
        while let Ok(Some(game)) = reader.next_game() {
            report.add("game", &Claimed::of_pgn(&game));
        }
        report.problems
    }

    const WON: &str = "[FEN \"5/2b2/5/2b2/2w2 w 0 1\"]\n[Result \"1-0\"]\n[PlyCount \"1\"]\n\
                       [Termination \"normal\"]\n[Reason \"no-stones\"]\n\n1. c1c3c5 1-0\n";

    #[test]
    fn a_right_record_has_no_problem() {
        assert_eq!(check(WON), [""; 0]);
        let forfeit = "[Result \"0-1\"]\n[Reason \"time-forfeit\"]\n\n1. c2c3 c4c2 0-1\n";
        assert_eq!(check(forfeit), [""; 0]);
    }

    #[test]
    fn every_kind_of_lie_is_found() {
        for (from, to, why) in [
            ("c1c3c5", "c1c3", "the chain must go on"),
            ("c1c3c5", "c1c3c9", "is not a move"),
            ("c1c3c5 1-0", "c1c3c5 c5c4 1-0", "the game is over"),
            ("c1c3c5 1-0", "c1c3c5 0-1", "differ"),
            ("\"1-0\"]", "\"1/2-1/2\"]", "differ"),
            ("PlyCount \"1\"", "PlyCount \"2\"", "it has 1 plies, not 2"),
            ("no-stones", "no-move", "it ended 1-0 no-stones"),
            ("no-stones", "nonsense", "no reason is called"),
            ("\"normal\"", "\"time forfeit\"", "does not fit"),
            ("1. c1c3c5 1-0", "1-0", "does not follow"),
            ("2w2 w", "2w2 x", "bad position"),
        ] {
            let text = WON.replace(from, to);
            assert_ne!(text, WON);
            let problems = check(&text);
            assert!(
                problems.iter().any(|p| p.contains(why)),
                "{to}: {problems:?}"
            );
        }
    }

    #[test]
    fn the_side_to_move_has_forfeited() {
        let text = "[Result \"1-0\"]\n[Reason \"time-forfeit\"]\n\n1. c2c3 c4c2 1-0\n";
        assert!(check(text)[0].contains("White to move"));
    }

    #[test]
    fn repetition_and_the_limit_are_replayed() {
        let fen = "[FEN \"4b/5/5/5/w4 w 0 1\"]\n";
        let moves = "a1a2 e5e4 a2a1 e4e5 a1a2 e5e4 a2a1 e4e5 1/2-1/2\n";
        let right = format!("{fen}[Reason \"repetition\"]\n\n{moves}");
        assert_eq!(check(&right), [""; 0]);
        let short = right.replace(" a2a1 e4e5 1/2", " a2a1 1/2");
        assert!(check(&short)[0].contains("does not follow"));
        let limit = format!("[NoCaptureLimit \"4\"]\n{fen}[Reason \"no-capture\"]\n\n");
        assert_eq!(
            check(&format!("{limit}a1a2 e5e4 a2a1 e4e5 1/2-1/2\n")),
            [""; 0]
        );
        assert!(check(&format!("{limit}a1a2 e5e4 a2a1 1/2-1/2\n"))[0].contains("does not follow"));
    }
}
