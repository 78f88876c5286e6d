//! When to stop: soft and hard limits from a clock, a time a move, pondering.

use std::time::{Duration, Instant};

use super::types::{Clock, Limits, Options, Signal};

/// Moves a game is expected to last when the clock does not say.
const EXPECTED_MOVES: u32 = 30;

/// The time limits of one search.
pub(super) struct Timer {
    start: Instant,
    /// No new depth begins after this.
    soft: Option<Duration>,
    /// The search ends here, wherever it is.
    hard: Option<Duration>,
    pondering: bool,
    /// When the ponder hit was seen; time counts from here.
    hit: Option<Instant>,
}

impl Timer {
    pub(super) fn new(limits: &Limits, options: &Options) -> Timer {
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let (s, h) = share(clock, options.move_overhead);
            (soft, hard) = (Some(s), Some(h));
        }
        if let Some(time) = limits.movetime {
            let kept = options.move_overhead.min(time / 10);
            let time = (time - kept).max(Duration::from_millis(1));
            hard = Some(hard.map_or(time, |h| h.min(time)));
        }
        Timer {
            start: Instant::now(),
            soft,
            hard,
            pondering: limits.ponder,
            hit: None,
        }
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether a clock presses, so that a move that is clear is played at once.
    pub(super) fn has_clock(&self) -> bool {
        self.soft.is_some() && (!self.pondering || self.hit.is_some())
    }

    /// Time that counts against the limits, or `None` while pondering.
    fn spent(&mut self, signal: &Signal) -> Option<Duration> {
        if !self.pondering {
            return Some(self.start.elapsed());
        }
        if self.hit.is_none() && signal.is_ponder_hit() {
            self.hit = Some(Instant::now());
        }
        self.hit.map(|hit| hit.elapsed())
    }

    /// Whether the search must end now.
    pub(super) fn is_up(&mut self, signal: &Signal) -> bool {
        self.passed(self.hard, signal)
    }

    /// Whether another depth is not worth beginning.
    pub(super) fn is_late(&mut self, signal: &Signal) -> bool {
        self.passed(self.soft, signal)
    }

    fn passed(&mut self, limit: Option<Duration>, signal: &Signal) -> bool {
        limit.is_some_and(|limit| self.spent(signal).is_some_and(|spent| spent >= limit))
    }
}

/// The soft and hard limit for one move.
fn share(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let usable = clock.left.saturating_sub(overhead);
    let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, 50);
    let even = usable / moves + clock.increment * 3 / 4;
    // Never more than this of what is left, an increment notwithstanding.
    let most = if moves == 1 {
        usable * 9 / 10
    } else {
        usable / 2
    };
    let floor = Duration::from_millis(1);
    // A depth takes some times as long as the one before: stop early rather than start in vain.
    let soft = (even * 6 / 10).min(most).max(floor);
    (soft, (even * 3).min(most).max(floor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_move_never_takes_more_than_the_clock_has(
            left in 5u64..1_000_000, increment in 0u64..60_000, moves in proptest::option::of(0u32..100),
        ) {
            let clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go: moves,
            };
            let (soft, hard) = share(clock, Duration::from_millis(10));
            prop_assert!(soft <= hard);
            prop_assert!(hard <= clock.left);
        }
    }
}
