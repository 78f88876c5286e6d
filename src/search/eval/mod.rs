//! Static evaluation of a quiet board: weights for patterns of stones, fitted to exact values.

mod pattern;
mod weights;

use bytemuck::Zeroable;
use once_cell::sync::Lazy;

use crate::rules::{Board, Survey};

use pattern::{Blocks, Kind, PATTERNS, transposed};
use weights::{JUMPS, Places, STAGES, STEPS, classes};

pub(crate) use weights::{
    FEATURES, MATERIAL, SIDES, features, len, material_place, stage_len, stage_of,
};
pub use weights::{Weights, WeightsError};

/// The parts of an evaluation in centistones, each from the mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvalTerms {
    /// Stones on both sides.
    pub material: i32,
    /// Patterns in the four blocks of three by three points in the corners.
    pub corners: i32,
    /// The same at the middles of the edges.
    pub edges: i32,
    /// The same in the centre.
    pub centre: i32,
    /// Steps that both sides could make.
    pub mobility: i32,
    /// Jumps that the other side threatens.
    pub threats: i32,
}

/// Patterns take a little less than 15 bits; a table of them all needs no check of its bounds.
type PatternTable = [i8; 1 << 15];

/// The weights of one stage, by pattern instead of by class of patterns.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
struct Stage {
    corner: PatternTable,
    /// Edge blocks above and below.
    end: PatternTable,
    /// Edge blocks left and right.
    side: PatternTable,
    centre: PatternTable,
    own_steps: [i8; STEPS],
    other_steps: [i8; STEPS],
    threats: [i8; JUMPS],
}

/// An evaluation, its weights laid out for speed.
pub struct Evaluation {
    /// By own and other stones: weight, and the stage.
    material: [[(i16, u16); 16]; 16],
    stages: Box<[Stage]>,
}

static SHIPPED: Lazy<Evaluation> = Lazy::new(|| {
    let bytes = include_bytes!("weights.bin");
    match Weights::parse(bytes) {
        Ok(weights) => Evaluation::new(&weights),
        Err(error) => unreachable!("{error}"),
    }
});

impl Evaluation {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Evaluation {
        let mut material = [[(0, 0); 16]; 16];
        for own in 0..=12 {
            for other in 0..=12 {
                let weight = weights.values()[material_place(own, other)];
                let stage = stage_of(own + other) as u16;
                material[own as usize][other as usize] = (weight, stage);
            }
        }
        let mut stages: Box<[Stage]> = bytemuck::zeroed_slice_box(STAGES.len());
        for (number, stage) in stages.iter_mut().enumerate() {
            stage.fill(weights, Places::of(number));
        }
        Evaluation { material, stages }
    }

    /// The evaluation that the program plays with.
    pub fn shipped() -> &'static Evaluation {
        &SHIPPED
    }

    /// The terms for a quiet board.
    #[inline(always)]
    pub fn terms(&self, board: Board) -> EvalTerms {
        self.terms_by(board, &board.survey())
    }

    #[inline(always)]
    fn terms_by(&self, board: Board, survey: &Survey) -> EvalTerms {
        let (own, other) = (board.own.len() as usize, board.other.len() as usize);
        let (material, stage) = self.material[own & 15][other & 15];
        let stage = &self.stages[usize::from(stage)];
        let blocks = Blocks::of(board);
        let count = |count: u32, limit: usize| count as usize & (limit - 1);
        let [a, b, c, d] = blocks.corners().map(|p| i32::from(stage.corner[p]));
        let [e, f] = blocks.ends().map(|p| i32::from(stage.end[p]));
        let [g, h] = blocks.sides().map(|p| i32::from(stage.side[p]));
        let own_steps = stage.own_steps[count(survey.steps, STEPS)];
        let other_steps = stage.other_steps[count(survey.other_steps, STEPS)];
        let threats = survey.threats.min(JUMPS as u32 - 1);
        EvalTerms {
            material: material.into(),
            corners: a + b + c + d,
            edges: e + f + g + h,
            centre: stage.centre[blocks.centre()].into(),
            mobility: i32::from(own_steps) + i32::from(other_steps),
            threats: stage.threats[count(threats, JUMPS)].into(),
        }
    }

    /// The value of a quiet board for the mover, in centistones.
    #[inline(always)]
    pub fn value(&self, board: Board) -> i32 {
        self.terms(board).total()
    }

    /// The value of a quiet board that was surveyed.
    #[inline(always)]
    pub(super) fn value_by(&self, board: Board, survey: &Survey) -> i32 {
        self.terms_by(board, survey).total()
    }
}

impl Stage {
    fn fill(&mut self, weights: &Weights, places: Places) {
        // All but those of material fit into a byte.
        let weight = |place: usize| weights.values()[place] as i8;
        let block = |kind: Kind, pattern: usize| {
            weight(places.blocks[kind as usize] + usize::from(classes(kind).of[pattern]))
        };
        for pattern in 0..PATTERNS {
            self.corner[pattern] = block(Kind::Corner, pattern);
            self.end[pattern] = block(Kind::Edge, pattern);
            self.side[pattern] = block(Kind::Edge, transposed(pattern));
            self.centre[pattern] = block(Kind::Centre, pattern);
        }
        for count in 0..STEPS {
            self.own_steps[count] = weight(places.own_steps + count);
            self.other_steps[count] = weight(places.other_steps + count);
        }
        for count in 0..JUMPS {
            self.threats[count] = weight(places.threats + count);
        }
    }
}

impl EvalTerms {
    /// The sum of the terms.
    #[inline(always)]
    pub fn total(self) -> i32 {
        self.material + self.corners + self.edges + self.centre + self.mobility + self.threats
    }
}

#[cfg(test)]
mod tests;
