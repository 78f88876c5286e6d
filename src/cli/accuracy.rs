//! `alquerque accuracy`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use alquerque::arena::accuracy::{Accuracy, Choices, Examination, examine};
use alquerque::arena::engine::{Budget, EngineConfig, Player, Surroundings};
use alquerque::tables::Tables;

use super::Failure;
use super::progress;
use super::tables::{at_hand, sign_of};

const EXAMPLES: &str = "\
Examples:
  alquerque accuracy --engine cmd=./new --engine cmd=./old --stones 7-10 --dir tables
  alquerque accuracy --engine cmd=alquerque,option.Hash=64 --nodes 1000 --json

Each engine is asked for moves in the same random positions, in which some moves keep the exact value
and some do not. The first move of a game is asked for, not a game: nothing is carried over.";

/// Measure how often engines' moves keep the exact value of a position
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AccuracyArgs {
    /// An engine, written as for `alquerque match`; several are examined one after the other
    #[arg(long = "engine", value_name = "cmd=PROGRAM,...", required = true)]
    engines: Vec<EngineConfig>,
    /// Fewest and most stones on the board; the tables must know them
    #[arg(long, default_value = "4-6", value_name = "A-B", value_parser = parse_range)]
    stones: (u32, u32),
    /// Positions to ask about
    #[arg(long, default_value_t = 1000)]
    positions: u64,
    /// Milliseconds for a move
    #[arg(long, default_value_t = 50, conflicts_with = "nodes")]
    movetime: u64,
    /// Nodes for a move, instead of time
    #[arg(long)]
    nodes: Option<u64>,
    /// The directory of the tables; positions of up to 6 stones need none
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Decides the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object for each engine
    #[arg(long)]
    json: bool,
}

fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let parsed = text
        .split_once('-')
        .and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match parsed {
        Some((fewest, most)) if (2..=24).contains(&fewest) && (fewest..=24).contains(&most) => {
            Ok((fewest, most))
        }
        _ => Err(format!(
            "'{text}' is not a range of stones from 2 to 24, as in 7-10"
        )),
    }
}

/// Examines each engine and tells the result.
pub(super) fn run(args: &AccuracyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let tables = at_hand(args.dir.as_deref())?;
    if args.stones.1 as usize > tables.covered() {
        return Err(Failure::Failed(format!(
            "positions of {} stones are asked for, the tables at hand know up to {}: build more with \
             alquerque tables build, and give their --dir",
            args.stones.1,
            tables.covered()
        )));
    }
    for engine in &args.engines {
        let accuracy = examine_one(engine, args, &tables)?;
        match args.json {
            true => writeln!(out, "{}", json(engine, &accuracy))?,
            false => writeln!(out, "{}", text(engine, &accuracy))?,
        }
    }
    Ok(())
}

fn examine_one(
    engine: &EngineConfig,
    args: &AccuracyArgs,
    tables: &Tables,
) -> Result<Accuracy, Failure> {
    let surroundings = Arc::new(Surroundings {
        startup: Duration::from_secs(20),
        ..Surroundings::default()
    });
    let mut player = Player::start(engine, 0, &[], &surroundings).map_err(Failure::failed)?;
    let examination = Examination {
        stones: args.stones,
        positions: args.positions,
        seed: args.seed,
        go: match args.nodes {
            Some(nodes) => format!("go nodes {nodes}"),
            None => format!("go movetime {}", args.movetime),
        },
        budget: Budget {
            flag: None,
            patience: Duration::from_millis(args.movetime) + Duration::from_secs(20),
        },
    };
    let bar = progress::bar(Some(args.positions as usize), "positions");
    let value = sign_of(tables);
    let result = examine(&mut player, &examination, &value, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    player.ask_to_quit();
    result.map_err(Failure::failed)
}

fn json(engine: &EngineConfig, accuracy: &Accuracy) -> serde_json::Value {
    serde_json::json!({ "engine": engine.name, "share": accuracy.share(), "choices": accuracy })
}

fn text(engine: &EngineConfig, accuracy: &Accuracy) -> String {
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let lost = |choices: Choices| choices.positions - choices.kept;
    let (wins, draws) = (accuracy.wins, accuracy.draws);
    format!(
        "{}: {:.2} % of {} moves keep the value; {} of {} wins given away ({:.2} %), {} of {} draws \
         lost ({:.2} %), {} answers no legal move",
        engine.name,
        100.0 * accuracy.share(),
        wins.positions + draws.positions,
        lost(wins),
        wins.positions,
        percent(lost(wins), wins.positions),
        lost(draws),
        draws.positions,
        percent(lost(draws), draws.positions),
        accuracy.wrong
    )
}
