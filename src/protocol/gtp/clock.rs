//! Time as this protocol counts it: main time, then overtime for a number of stones.

use std::time::Duration;

use crate::rules::Side;
use crate::search::Clock;

/// The time settings of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Settings {
    main: Duration,
    overtime: Duration,
    stones: u32,
}

/// What a side has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    time: Duration,
    /// Stones to play in that time; 0: it is main time.
    stones: u32,
}

/// Both clocks; without settings there are none.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    settings: Option<Settings>,
    left: [Option<Left>; 2],
}

impl Clocks {
    /// `time_settings`. Overtime without stones means no limit at all.
    pub(super) fn set(&mut self, main: u32, overtime: u32, stones: u32) {
        let seconds = |n: u32| Duration::from_secs(n.into());
        self.settings = (overtime == 0 || stones > 0).then_some(Settings {
            main: seconds(main),
            overtime: seconds(overtime),
            stones: if overtime == 0 { 0 } else { stones },
        });
        self.restart();
    }

    /// Both clocks as at the start of a game.
    pub(super) fn restart(&mut self) {
        let full = self.settings.map(|settings| Left {
            time: settings.main,
            stones: 0,
        });
        self.left = [full; 2];
        self.overflow(0);
        self.overflow(1);
    }

    /// `time_left`.
    pub(super) fn tell(&mut self, side: Side, seconds: u32, stones: u32) {
        let time = Duration::from_secs(seconds.into());
        self.left[index(side)] = Some(Left { time, stones });
        self.overflow(index(side));
    }

    /// A turn of that side took so long; the controller may correct this with `time_left`.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        let Some(left) = &mut self.left[index(side)] else {
            return;
        };
        left.time = left.time.saturating_sub(time);
        if left.stones > 0 {
            left.stones -= 1;
            if left.stones == 0 {
                left.time = Duration::ZERO;
            }
        }
        self.overflow(index(side));
    }

    /// Main time or a finished period of overtime gives way to the next one.
    fn overflow(&mut self, side: usize) {
        let (Some(left), Some(settings)) = (&mut self.left[side], self.settings) else {
            return;
        };
        if left.time.is_zero() && left.stones == 0 && settings.stones > 0 {
            *left = Left {
                time: settings.overtime,
                stones: settings.stones,
            };
        }
    }

    /// The clock of a side, if there is one.
    pub(super) fn clock(&self, side: Side) -> Option<Clock> {
        let left = self.left[index(side)]?;
        Some(Clock {
            left: left.time,
            increment: Duration::ZERO,
            moves_to_go: Some(left.stones).filter(|&stones| stones > 0),
        })
    }
}

fn index(side: Side) -> usize {
    usize::from(side == Side::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overtime_follows_main_time_and_is_renewed() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.clock(Side::White), None);
        clocks.set(10, 6, 2);
        let left = |clocks: &Clocks| {
            clocks
                .clock(Side::White)
                .map(|c| (c.left.as_secs(), c.moves_to_go))
        };
        assert_eq!(left(&clocks), Some((10, None)));
        clocks.spend(Side::White, Duration::from_secs(11));
        assert_eq!(left(&clocks), Some((6, Some(2))));
        clocks.spend(Side::White, Duration::from_secs(1));
        assert_eq!(left(&clocks), Some((5, Some(1))));
        clocks.spend(Side::White, Duration::from_secs(1));
        assert_eq!(left(&clocks), Some((6, Some(2))));
        clocks.tell(Side::White, 3, 1);
        assert_eq!(left(&clocks), Some((3, Some(1))));
        assert_eq!(
            clocks.clock(Side::Black).map(|c| c.left.as_secs()),
            Some(10)
        );
        clocks.set(0, 1, 0);
        assert_eq!(left(&clocks), None);
    }
}
