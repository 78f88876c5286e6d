//! `alquerque accuracy`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use alquerque::arena::accuracy::{Accuracy, Choices, Examination, examine};
use alquerque::arena::engine::{Budget, EngineConfig, Player, Surroundings};
use alquerque::search::Evaluation;
use alquerque::tables::{Tables, Wdl};
use alquerque::train::{Prediction, predict};

use super::Failure;
use super::progress;
use super::tables::{at_hand, sign_of};

const EXAMPLES: &str = "\
Examples:
  alquerque accuracy --engine cmd=./new --engine cmd=./old --stones 7-10 --dir tables
  alquerque accuracy --engine cmd=alquerque,option.Hash=64 --nodes 1000 --json
  alquerque accuracy --engine cmd=alquerque,option.BuiltInTables=false
  alquerque accuracy --eval --stones 9-10 --dir tables

Each engine is asked for moves in the same random positions, in which some moves keep the exact value
and some do not. The first move of a game is asked for, not a game: nothing is carried over.

With --eval this program's evaluation is measured, without any search: how often the value it makes
likeliest, of win, draw and loss, is the exact one, over random quiet positions of each number of
stones. Every such position is as likely as every other.";

/// Measure how often engines' moves keep the exact value of a position, or the evaluation knows it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AccuracyArgs {
    /// An engine, written as for `alquerque match`; several are examined one after the other
    #[arg(
        long = "engine",
        value_name = "cmd=PROGRAM,...",
        required_unless_present = "eval"
    )]
    engines: Vec<EngineConfig>,
    /// Measure this program's evaluation instead
    #[arg(long, conflicts_with_all = ["engines", "movetime", "nodes"])]
    eval: bool,
    /// Fewest and most stones on the board; the tables must know them
    #[arg(long, default_value = "4-6", value_name = "A-B", value_parser = parse_range)]
    stones: (u32, u32),
    /// Positions to ask about; for --eval, of each number of stones [default: 1000, for --eval 100000]
    #[arg(long)]
    positions: Option<u64>,
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
    if args.eval {
        return predictions(args, &tables, out);
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
    let positions = args.positions.unwrap_or(1000);
    let mut player = Player::start(engine, 0, &[], &surroundings).map_err(Failure::failed)?;
    let examination = Examination {
        stones: args.stones,
        positions,
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
    let bar = progress::bar(Some(positions as usize), "positions");
    let value = sign_of(tables);
    let result = examine(&mut player, &examination, &value, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    player.ask_to_quit();
    result.map_err(Failure::failed)
}

/// Measures the evaluation.
fn predictions(args: &AccuracyArgs, tables: &Tables, out: &mut impl Write) -> Result<(), Failure> {
    let boards = args.positions.unwrap_or(100_000) as usize;
    for stones in args.stones.0..=args.stones.1 {
        let evaluation = Evaluation::shipped();
        let Some(found) = predict(tables, evaluation, stones as usize, boards, args.seed) else {
            continue;
        };
        match args.json {
            true => {
                let (share, counts) = (found.share(), found.counts);
                let line = serde_json::json!({
                    "stones": stones, "boards": boards, "share": share, "counts": counts, "loss": found.loss
                });
                writeln!(out, "{line}")?;
            }
            false => writeln!(out, "{}", prediction_text(&found))?,
        }
    }
    Ok(())
}

fn prediction_text(found: &Prediction) -> String {
    let right = |value: Wdl| {
        let row = found.counts[value as usize];
        let all: u64 = row.iter().sum();
        100.0 * row[value as usize] as f64 / all.max(1) as f64
    };
    format!(
        "{} stones: the value of {:.2} % of {} positions is predicted (of wins {:.1} %, draws {:.1} %, \
         losses {:.1} %); mean loss {:.4}",
        found.stones,
        100.0 * found.share(),
        found.boards(),
        right(Wdl::Win),
        right(Wdl::Draw),
        right(Wdl::Loss),
        found.loss
    )
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
