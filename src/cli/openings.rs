//! `alquerque openings`.

use std::io::{self, Write};

use clap::Args;
use indicatif::ProgressBar;

use alquerque::arena::NO_CAPTURE_LIMIT;
use alquerque::arena::openings::{Judge, RandomSet, all_positions, random_positions};
use alquerque::engine::Engine;
use alquerque::rules::{Outcome, Position, Side};
use alquerque::search::{BestMove, Info, Limits, Signal};

use super::{Failure, progress};

const EXAMPLES: &str = "\
Examples:
  The sets that ship with the program:
    alquerque openings --count 1000 --plies 6-16 --window 50-250 --nodes 2000 --contested 500
    alquerque openings --all 7
  More openings for a long match, then the match:
    alquerque openings --count 20000 --seed 7 > openings.txt
    alquerque match ... --openings openings.txt

Random legal moves are made from the start, captures are played out, and the position is kept if this
program's own search gives the better side a score in the window. Half of the openings favour White,
no two are mirror images or rotations of each other. The same command gives the same file.";

/// Make a set of openings for matches
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct OpeningsArgs {
    /// How many openings
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Plies of random play, fewest and most
    #[arg(long, default_value = "8-20", value_name = "FROM-TO", value_parser = parse_range)]
    plies: (u32, u32),
    /// Score of the better side in hundredths of a stone, smallest and largest
    #[arg(long, default_value = "100-200", value_name = "FROM-TO", value_parser = parse_range)]
    window: (u32, u32),
    /// Nodes to judge a position by
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Keep only positions from which games at N, 2 N and 4 N nodes a move end differently: there
    /// stronger play shows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    contested: Option<u64>,
    /// Decides the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instead: all different positions after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=12),
        conflicts_with_all = ["count", "plies", "window", "nodes", "contested", "seed"])]
    all: Option<u32>,
}

fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once('-').unwrap_or((text, text));
    match (ends.0.parse(), ends.1.parse()) {
        (Ok(from), Ok(to)) if from <= to && to <= 1000 => Ok((from, to)),
        _ => Err("write FROM-TO with FROM not above TO and TO not above 1000".to_owned()),
    }
}

/// Makes the set and writes it.
pub(super) fn run(args: &OpeningsArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(plies) = args.all {
        let positions = all_positions(plies);
        writeln!(
            out,
            "# All {} different positions after {plies} plies.",
            positions.len()
        )?;
        return write_all(&positions, out);
    }
    let template = "{pos}/{len} {per_sec} {eta} left";
    let bar = progress::styled(ProgressBar::new(args.count.into()), template);
    let set = RandomSet {
        count: args.count as usize,
        min_plies: args.plies.0,
        max_plies: args.plies.1,
        window: (args.window.0 as i32, args.window.1 as i32),
        seed: args.seed,
    };
    let mut judge = EngineJudge::new(args)?;
    let positions = random_positions(set, &mut judge, &mut |found| bar.set_position(found as u64));
    bar.finish_and_clear();
    writeln!(
        out,
        "# {} positions after {}-{} random plies, the better side {}-{} hundredths of a stone up\n\
         # (seed {}, {} nodes){}.",
        positions.len(),
        args.plies.0,
        args.plies.1,
        args.window.0,
        args.window.1,
        args.seed,
        args.nodes,
        args.contested
            .map(|first| format!(
                "; games at {first} nodes a move, twice and four times as many, end differently"
            ))
            .unwrap_or_default()
    )?;
    write_all(&positions, out)?;
    if positions.len() < set.count {
        let _ = writeln!(
            io::stderr(),
            "note: only {} were found; widen --window or --plies",
            positions.len()
        );
    }
    Ok(())
}

fn write_all(positions: &[Position], out: &mut impl Write) -> Result<(), Failure> {
    let mut text = String::new();
    for position in positions {
        // The counters are those of a new game.
        let whole = position.to_string();
        let words: Vec<&str> = whole.split(' ').take(2).collect();
        text += &words.join(" ");
        text.push('\n');
    }
    Ok(out.write_all(text.as_bytes())?)
}

/// This program as the judge of positions.
struct EngineJudge {
    engine: Engine,
    /// Nodes to judge a position by.
    nodes: u64,
    /// Nodes a move in the first of the games that are to end differently.
    contested: Option<u64>,
}

impl EngineJudge {
    fn new(args: &OpeningsArgs) -> Result<EngineJudge, Failure> {
        let mut engine = Engine::new().map_err(Failure::failed)?;
        let limit = NO_CAPTURE_LIMIT.to_string();
        engine
            .set_option("No Capture Limit", Some(&limit))
            .map_err(Failure::failed)?;
        Ok(EngineJudge {
            engine,
            nodes: args.nodes,
            contested: args.contested,
        })
    }

    /// Thinks for so many nodes about the position that is set.
    fn think(&self, nodes: u64, report: &mut dyn FnMut(&Info)) -> Option<BestMove> {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        self.engine.go(limits, &Signal::default(), report).ok()
    }

    /// The winner of a game of the engine against itself; none if drawn.
    fn self_play(&mut self, position: &Position, nodes: u64) -> Option<Side> {
        self.engine.new_game();
        let mut moves = Vec::new();
        loop {
            self.engine.set_position(*position, &moves).ok()?;
            match self.engine.game().outcome() {
                Some(Outcome::Win(winner, _)) => return Some(winner),
                Some(Outcome::Draw(_)) => return None,
                None => moves.push(self.think(nodes, &mut |_| ())?.best?.to_string()),
            }
        }
    }
}

impl Judge for EngineJudge {
    fn score(&mut self, position: &Position) -> Option<i32> {
        self.engine.new_game();
        self.engine.set_position(*position, &[] as &[&str]).ok()?;
        let mut last = None;
        self.think(self.nodes, &mut |info| last = info.score.centistones())?;
        match position.side() {
            Side::White => last,
            Side::Black => last.map(|score| -score),
        }
    }

    /// Whether games in which both sides search so many nodes a move, then twice and four times as
    /// many, end differently, if that is asked for.
    fn is_kept(&mut self, position: &Position) -> bool {
        self.contested.is_none_or(|nodes| {
            let results = [1, 2, 4].map(|factor| self.self_play(position, nodes * factor));
            results.iter().any(|&result| result != results[0])
        })
    }
}
