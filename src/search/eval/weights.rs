//! The numbers an evaluation adds up, each distinct one once, and the file they are kept in.

use once_cell::sync::Lazy;
use thiserror::Error;

use super::pattern::{Blocks, Classes, Kind, transposed};
use crate::rules::Board;

/// Stones on the board up to which each stage of the game lasts. Each has weights of its own.
pub const STAGES: [u32; 7] = [6, 8, 10, 12, 14, 17, 24];

/// Numbers of stones of one side, 0 to 12.
pub const SIDES: usize = 13;
/// Counts of steps that are told apart.
pub const STEPS: usize = 64;
/// Counts of jumps that are told apart.
pub const JUMPS: usize = 16;
/// Weights by the number of own and other stones; they come first.
pub const MATERIAL: usize = SIDES * SIDES;
/// Weights that a board adds up: material, blocks, steps of both sides, threatened jumps.
pub const FEATURES: usize = 13;

static CLASSES: Lazy<[Classes; 3]> = Lazy::new(|| Kind::ALL.map(Classes::new));

/// The classes of patterns of a kind of block.
pub fn classes(kind: Kind) -> &'static Classes {
    &CLASSES[kind as usize]
}

/// The stage of a board with so many stones.
pub fn stage_of(stones: u32) -> usize {
    let stage = STAGES.iter().position(|&last| stones <= last);
    stage.unwrap_or(STAGES.len() - 1)
}

/// Where the weights of a stage are.
#[derive(Clone, Copy)]
pub struct Places {
    /// Patterns of corner, edge and centre blocks.
    pub blocks: [usize; 3],
    /// Own steps.
    pub own_steps: usize,
    /// The other side's steps.
    pub other_steps: usize,
    /// The other side's jumps, if it were to move.
    pub threats: usize,
}

/// The number of weights of a stage.
pub fn stage_len() -> usize {
    let blocks: usize = CLASSES.iter().map(|classes| classes.count).sum();
    blocks + 2 * STEPS + JUMPS
}

/// The number of weights.
pub fn len() -> usize {
    MATERIAL + STAGES.len() * stage_len()
}

impl Places {
    /// The places of a stage's weights.
    pub fn of(stage: usize) -> Places {
        let [corner, edge, centre] = [0, 1, 2].map(|kind: usize| CLASSES[kind].count);
        let first = MATERIAL + stage * stage_len();
        let own_steps = first + corner + edge + centre;
        Places {
            blocks: [first, first + corner, first + corner + edge],
            own_steps,
            other_steps: own_steps + STEPS,
            threats: own_steps + 2 * STEPS,
        }
    }
}

/// The place of the material weight for so many own and other stones.
pub fn material_place(own: u32, other: u32) -> usize {
    own as usize % SIDES * SIDES + other as usize % SIDES
}

/// The places of the weights whose sum is the value of a board.
pub fn features(board: Board) -> [u32; FEATURES] {
    let places = Places::of(stage_of(board.stones()));
    let blocks = Blocks::of(board);
    let class = |kind: Kind, pattern: usize| {
        places.blocks[kind as usize] + usize::from(classes(kind).of[pattern])
    };
    let [c0, c1, c2, c3] = blocks.corners().map(|p| class(Kind::Corner, p));
    let [e0, e1] = blocks.ends().map(|p| class(Kind::Edge, p));
    let [s0, s1] = blocks.sides().map(|p| class(Kind::Edge, transposed(p)));
    let swapped = board.swapped();
    let jumps = (swapped.jump_count() as usize).min(JUMPS - 1);
    [
        material_place(board.own.len(), board.other.len()),
        c0,
        c1,
        c2,
        c3,
        e0,
        e1,
        s0,
        s1,
        class(Kind::Centre, blocks.centre()),
        places.own_steps + board.step_count() as usize,
        places.other_steps + swapped.step_count() as usize,
        places.threats + jumps,
    ]
    .map(|place| place as u32)
}

/// All weights in hundredths of a stone, in the order that docs/evaluation.md tells. Those of material are larger
/// than a byte holds, the others are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights(Vec<i16>);

/// The largest weight of material; far below the scores of proven wins.
const LARGEST: i16 = 4000;

/// A file of weights that is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not the weights of this version: {found} bytes instead of {expected}")]
pub struct WeightsError {
    found: usize,
    expected: usize,
}

impl Weights {
    /// The nearest weights to these numbers; what is out of range is cut.
    pub fn rounded(values: &[f32]) -> Weights {
        let limit = |place: usize| if place < MATERIAL { LARGEST } else { 127 };
        let round = |(place, &value): (usize, &f32)| {
            let limit = f32::from(limit(place));
            value.clamp(-limit, limit).round() as i16
        };
        Weights(values.iter().enumerate().map(round).collect())
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// If it has not the right length.
    pub fn parse(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let expected = len() + MATERIAL;
        let found = bytes.len();
        if found != expected {
            return Err(WeightsError { found, expected });
        }
        let (material, others) = bytes.split_at(2 * MATERIAL);
        let words = material.chunks_exact(2);
        let words = words.map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let bytes = others.iter().map(|&byte| i16::from(byte as i8));
        Ok(Weights(words.chain(bytes).collect()))
    }

    /// The file: those of material in two bytes each, low byte first, the others in one.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (material, others) = self.0.split_at(MATERIAL);
        let words = material.iter().flat_map(|weight| weight.to_le_bytes());
        words
            .chain(others.iter().map(|&weight| weight as u8))
            .collect()
    }

    /// The weights in their order.
    pub fn values(&self) -> &[i16] {
        &self.0
    }
}
