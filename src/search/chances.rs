//! What scores mean: the chances of win, draw and loss that `UCI_ShowWDL` tells and the training of
//! the evaluation aims at.

/// Chances of a win, a draw and a loss for the mover; they add up to 1.
pub type Chances = [f32; 3];

/// Centistones that make the odds of a win e times as high: the unit of scores here.
pub const UNIT: f32 = 50.0;
/// The score at which a win is as likely as not, in units.
pub(crate) const EDGE: f32 = 3.0;

/// The logistic curve, from a library that gives the same on every machine.
pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// The chances at a score in units: a logistic curve on either side.
pub fn chances(score: f32) -> Chances {
    let (win, loss) = (logistic(score - EDGE), logistic(-score - EDGE));
    [win, 1.0 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_protocol() {
        // protocol.md: 50 % at 150 centistones; the odds grow e times with every 50.
        let [win, draw, loss] = chances(3.0);
        assert!((win - 0.5).abs() < 1e-6 && loss < 0.01 && draw > 0.49);
        let [win, ..] = chances(4.0);
        assert!((win / (1.0 - win) - std::f32::consts::E).abs() < 1e-4);
        let ([a, b, c], [d, e, f]) = (chances(1.3), chances(-1.3));
        assert!((a - f).abs() < 1e-6 && (b - e).abs() < 1e-6 && (c - d).abs() < 1e-6);
    }
}
