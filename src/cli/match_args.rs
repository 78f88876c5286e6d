//! The options of `alquerque match`, and the match they describe.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use alquerque::arena::NO_CAPTURE_LIMIT;
use alquerque::arena::engine::EngineConfig;
use alquerque::arena::game::{Adjudication, DrawRule, ResignRule, TableValue};
use alquerque::arena::limits::{MoveLimits, TimeControl};
use alquerque::arena::openings::Openings;
use alquerque::arena::record::{MatchHeader, OpeningsId, read_journal};
use alquerque::arena::runner::Match;
use alquerque::arena::schedule::{Format, Shard};
use alquerque::arena::stats::Sprt;

use super::Failure;
use super::tables::{open, sign_of};

/// Games when a test ends the match.
pub(super) const MANY_GAMES: u64 = 10_000_000;

const EXAMPLES: &str = "\
Examples:
  Is the new version stronger? Stop as soon as that is clear:
    alquerque match --engine cmd=./new --engine cmd=./old --tc 10+0.1 --concurrency 2 \\
      --sprt elo0=0,elo1=10 --pgn games.pgn
  Two hundred games at a thousand nodes a move, the whole record in games.jsonl:
    alquerque match --engine cmd=./new --engine cmd=./old --nodes 1000 --games 200 --jsonl games.jsonl
  The same command again goes on where the match was stopped. So does:
    alquerque match --resume games.jsonl
  A part of a match on each of several machines, then the whole (see also: alquerque merge --help):
    alquerque match ... --shard 3/8 --out part3.jsonl
    alquerque merge part*.jsonl

An engine is written as cmd=PROGRAM and, separated by commas, any of: name=NAME, arg=ARGUMENT
(repeated), dir=FOLDER, option.NAME=VALUE, tc=10+0.1, movetime=MS, nodes=N, depth=N, proto=uci|ugi.
A comma inside a value is written '\\,'. Limits of an engine replace those for all.

Openings: a file with one a line (a position; a position, 'moves' and moves; or moves from the start)
or a set that ships with the program:
  unbalanced  one side is better, not sure to win; each is played from both sides. Separates engines
  balanced    all different positions after 7 plies. Equal engines draw nearly all of them

Exit codes: 0 played to the end or decided, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C.";

/// Play engines against each other and say which is stronger
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MatchArgs {
    /// An engine; give two or more. The first is the one whose strength is asked for
    #[arg(long = "engine", value_name = "cmd=PROGRAM,...")]
    engines: Vec<EngineConfig>,
    /// An option for every engine, unless the engine sets it
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Games of each two engines that meet (even: each opening is played from both sides)
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Games at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// A set of openings or a file
    #[arg(long, default_value = "unbalanced", value_name = "SET|FILE")]
    openings: String,
    /// Shuffles the openings; the same seed gives the same order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play the openings in the order of the file
    #[arg(long, conflicts_with = "seed")]
    in_order: bool,
    /// Stop when the test is decided: is the first engine better by elo1 rather than elo0?
    #[arg(long, value_name = "elo0=0,elo1=5,...")]
    sprt: Option<Sprt>,
    /// The first engine against each of the others, instead of everybody against everybody
    #[arg(long)]
    gauntlet: bool,
    /// Write games in PGN shape (and a journal beside, FILE with .jsonl, unless --jsonl is given)
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Record the match, one JSON object a line; a stopped match goes on from here
    #[arg(long, visible_alias = "out", value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write a summary as one JSON object; - for the output
    #[arg(long, value_name = "FILE|-")]
    pub(super) json: Option<PathBuf>,
    /// Write a page with charts (needs a journal)
    #[arg(long, value_name = "FILE.html")]
    pub(super) report: Option<PathBuf>,
    /// Write all that is said between runner and engines
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Start over: delete what the journal and the PGN hold
    #[arg(long)]
    fresh: bool,
    /// Go on with the match in this journal; everything that decides games comes from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "options", "games", "fresh",
        "jsonl", "sprt", "shard", "gauntlet", "tables", "tc", "movetime", "nodes", "depth", "openings", "seed"])]
    resume: Option<PathBuf>,
    /// Plies without a capture after which a game is drawn; 0: never. Engines with the option
    /// 'No Capture Limit' are told
    #[arg(long, default_value_t = NO_CAPTURE_LIMIT, value_name = "PLIES")]
    no_capture_limit: u32,
    /// How much a move may take over its time
    #[arg(long, default_value_t = 50, value_name = "MS")]
    margin: u64,
    /// When an engine that has no clock, or does not answer isready, counts as hung
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
    /// How long an engine may take to get ready for the match or a game
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) startup: u64,
    /// Draw games in which both sides' scores stay small
    #[arg(long, value_name = "moves=8,score=5,after=60")]
    draw: Option<DrawRule>,
    /// End games in which a side's score stays hopeless
    #[arg(long, value_name = "moves=3,score=600,...")]
    resign: Option<ResignRule>,
    /// Draw games of this length
    #[arg(long, default_value_t = 4000, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_plies: u32,
    /// End games as soon as the tables in this directory know the value of the position
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Stop, as by Ctrl-C, when the input ends: for programs that start matches and may be killed
    #[arg(long)]
    pub(super) stop_at_eof: bool,
    /// Play only a part of the match: pairs I, I+N, I+2N, ...
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Give each game at once its own processors, this many (Linux)
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    affinity: Option<usize>,
}

/// What an engine may spend on a move.
#[derive(Args)]
struct LimitArgs {
    /// A clock: [MOVES/]SECONDS[+INCREMENT]
    #[arg(long, value_name = "10+0.1")]
    tc: Option<TimeControl>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    match name.trim().is_empty() || text.contains(char::is_control) {
        true => Err("write NAME=VALUE".to_owned()),
        false => Ok((name.to_owned(), value.to_owned())),
    }
}

impl MatchArgs {
    /// The match these options describe.
    pub(super) fn plan(&self) -> Result<Match, Failure> {
        let header = match &self.resume {
            Some(journal) => self.resumed(journal)?,
            None => self.header()?,
        };
        let openings = Openings::load(&header.openings.name).map_err(Failure::usage)?;
        if OpeningsId::from(&openings) != header.openings {
            let why = format!("the openings {} have changed since", header.openings.name);
            return Err(Failure::Usage(why));
        }
        if header.games < MANY_GAMES && header.games > 2 * openings.list.len() as u64 {
            // Progress and hints are a courtesy.
            let _ = writeln!(
                io::stderr(),
                "note: {} games from {} openings: openings repeat, and so will games of engines \
                 limited by nodes or depth",
                header.games,
                openings.list.len()
            );
        }
        let journal = self.resume.clone().or_else(|| self.jsonl.clone());
        let beside = self.pgn.as_ref().map(|pgn| pgn.with_extension("jsonl"));
        let journal = journal.or(beside);
        if self.report.is_some() && journal.is_none() {
            return Err(Failure::Usage("--report needs --jsonl or --pgn".to_owned()));
        }
        let table = match &header.tables {
            Some(dir) => {
                let value = sign_of(&open(Path::new(dir))?);
                Some(Box::new(value) as Box<TableValue>)
            }
            None => None,
        };
        Ok(Match {
            header,
            openings,
            concurrency: self.concurrency.into(),
            cpus: self.cpus()?,
            patience: Duration::from_secs(self.patience),
            journal,
            pgn: self.pgn.clone(),
            fresh: self.fresh,
            table,
        })
    }

    /// The match in a journal, if its engines are still the same programs.
    fn resumed(&self, journal: &Path) -> Result<MatchHeader, Failure> {
        let header = read_journal(journal, |_| ()).map_err(Failure::failed)?;
        let changed = |engine: &&EngineConfig| engine.crc32 != engine.checksum();
        match header.engines.iter().find(changed) {
            None => Ok(header),
            Some(engine) => Err(Failure::Failed(format!(
                "the program of engine {} has changed since the match in {} began",
                engine.name,
                journal.display()
            ))),
        }
    }

    fn header(&self) -> Result<MatchHeader, Failure> {
        let usage = |why: &str| Err(Failure::Usage(why.to_owned()));
        let games = match (self.games, self.sprt) {
            (Some(games), _) if games % 2 == 1 => {
                let why = "would leave an opening played from one side only; give an even number";
                return Err(Failure::Usage(format!("--games {games} {why}")));
            }
            (Some(0), _) => return usage("--games 0 plays nothing"),
            (Some(games), _) => games,
            (None, Some(_)) => MANY_GAMES,
            (None, None) => {
                return usage("say how long to play: --games N or --sprt elo0=0,elo1=5");
            }
        };
        if self.sprt.is_some() && self.engines.len() != 2 {
            return usage("--sprt needs exactly two engines");
        }
        let openings = Openings::load(&self.openings).map_err(Failure::usage)?;
        Ok(MatchHeader {
            engines: self.completed_engines()?,
            format: match self.gauntlet {
                true => Format::Gauntlet,
                false => Format::RoundRobin,
            },
            games,
            openings: (&openings).into(),
            seed: (!self.in_order).then_some(self.seed),
            no_capture_limit: self.no_capture_limit,
            margin_ms: self.margin,
            adjudication: Adjudication {
                draw: self.draw,
                resign: self.resign,
                max_plies: self.max_plies as usize,
            },
            tables: self.tables.as_ref().map(|dir| dir.display().to_string()),
            sprt: self.sprt,
            shard: self.shard.unwrap_or(Shard::WHOLE),
        })
    }

    fn completed_engines(&self) -> Result<Vec<EngineConfig>, Failure> {
        if self.engines.len() < 2 {
            let why = "a match needs two engines: --engine cmd=PROGRAM --engine cmd=PROGRAM";
            return Err(Failure::Usage(why.to_owned()));
        }
        let common = MoveLimits {
            tc: self.limits.tc,
            movetime: self.limits.movetime,
            nodes: self.limits.nodes,
            depth: self.limits.depth,
        };
        let mut engines = self.engines.clone();
        for engine in &mut engines {
            engine.complete(common);
            for (name, value) in &self.options {
                engine.set_default_option(name, value);
            }
            if !engine.limits.is_some() {
                let why = format!(
                    "engine {} has no limit: --tc, --movetime, --nodes or --depth",
                    engine.name
                );
                return Err(Failure::Usage(why));
            }
        }
        let mut names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Failure::Usage(format!(
                "two engines are called {}; tell them apart with name=",
                pair[0]
            ))),
            None => Ok(engines),
        }
    }

    #[cfg(target_os = "linux")]
    fn cpus(&self) -> Result<Vec<Vec<usize>>, Failure> {
        let Some(each) = self.affinity else {
            return Ok(Vec::new());
        };
        let all = alquerque::arena::engine::processors().map_err(Failure::failed)?;
        let needed = each * usize::from(self.concurrency);
        if each == 0 || needed > all.len() {
            return Err(Failure::Usage(format!(
                "--affinity {each} with {} games at once needs {needed} processors, there are {}",
                self.concurrency,
                all.len()
            )));
        }
        let chunks = all.chunks(each).take(self.concurrency.into());
        Ok(chunks.map(<[usize]>::to_vec).collect())
    }

    #[cfg(not(target_os = "linux"))]
    fn cpus(&self) -> Result<Vec<Vec<usize>>, Failure> {
        match self.affinity {
            None => Ok(Vec::new()),
            Some(_) => Err(Failure::Usage("--affinity works on Linux only".to_owned())),
        }
    }
}
