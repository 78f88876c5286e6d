//! `alquerque train`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use alquerque::train::{Fit, Observer, Plan, Play, Round, train};

use super::tables::at_hand_up_to;
use super::{Failure, progress};

const EXAMPLES: &str = "\
Examples:
  alquerque tables build --stones 10 --dir tables
  alquerque train --dir tables --out weights.bin
  alquerque train --dir tables --games 100 --rounds 1 --exact 10000 --out quick.bin

The program's own weights are in src/search/eval/weights.bin; scripts/train.sh makes them. The same
command gives the same file, whatever the number of threads.";

/// Fit the evaluation's weights to exact values and to games against itself
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TrainArgs {
    /// The directory of the tables; positions of up to 6 stones need none
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The file of weights to write; the last one counts
    #[arg(long, overrides_with = "out")]
    out: PathBuf,
    /// Decides everything that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use tables of up to so many stones, as if there were no others
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(6..=24))]
    stones: u8,
    /// Exact values to learn for each number of stones
    #[arg(long, default_value_t = 1_000_000)]
    exact: usize,
    /// How often games are played and weights fitted again
    #[arg(long, default_value_t = 2)]
    rounds: usize,
    /// Games of a round
    #[arg(long, default_value_t = 40_000)]
    games: usize,
    /// Nodes for a move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes for the value of a board beside a game
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    side_nodes: u64,
    /// How often a fit goes through all it learns from
    #[arg(long, default_value_t = 4)]
    epochs: usize,
    /// Threads to play on [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Tells of each round, with a bar for its games on a terminal.
struct Teller(ProgressBar);

impl Observer for Teller {
    fn games(&self, round: usize, games: usize) {
        self.0.set_length(games as u64);
        self.0.set_position(0);
        self.0.set_message(format!("games of round {round}"));
    }

    fn game(&self) {
        self.0.inc(1);
    }

    fn fitting(&self, round: usize) {
        self.0
            .set_message(format!("round {round}: fitting weights"));
    }

    fn fitted(&self, round: &Round) {
        let line = match round.held {
            0 => format!("round {}: {} samples", round.number, round.samples),
            held => format!(
                "round {}: {} samples, mean loss {:.4} over {held} others",
                round.number, round.samples, round.loss
            ),
        };
        // Not through the bar: it is silent where there is no terminal.
        self.0.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{line}");
        });
    }
}

/// Trains and writes the weights.
pub(super) fn run(args: &TrainArgs, out: &mut impl Write) -> Result<(), Failure> {
    let tables = at_hand_up_to(args.dir.as_deref(), args.stones.into())?;
    let plan = Plan {
        seed: args.seed,
        stones: args.stones.into(),
        exact: args.exact,
        rounds: args.rounds,
        play: Play {
            games: args.games,
            nodes: args.nodes,
            side_nodes: args.side_nodes,
        },
        fit: Fit {
            epochs: args.epochs,
            rate: 0.15,
        },
    };
    let template = "{bar:30} {pos}/{len} {msg}, {per_sec}, {eta} left";
    let teller = Teller(progress::styled(ProgressBar::new(0), template));
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.threads {
        pool = pool.num_threads(threads.into());
    }
    let pool = pool.build().map_err(Failure::failed)?;
    let weights = pool.install(|| train(&tables, &plan, &teller));
    teller.0.finish_and_clear();
    let hint = |missing| {
        let stones = args.stones;
        Failure::failed(format!(
            "{missing}: build them with alquerque tables build --stones {stones} --dir DIR, and give --dir DIR"
        ))
    };
    let bytes = weights.map_err(hint)?.to_bytes();
    let named = |error| Failure::failed(format!("{}: {error}", args.out.display()));
    std::fs::write(&args.out, &bytes).map_err(named)?;
    writeln!(out, "{}: {} bytes", args.out.display(), bytes.len())?;
    Ok(())
}
