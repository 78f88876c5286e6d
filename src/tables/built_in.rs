//! Positions of few stones, known without any file: made in memory when they are first wanted.

use std::time::{Duration, Instant};

use once_cell::sync::OnceCell;

use super::pair::{Measure, build_pair};
use super::smaller::Smaller;

/// Positions of up to so many stones are known without files.
pub const STONES: usize = 6;

static SLABS: OnceCell<Smaller> = OnceCell::new();
static STARTED: OnceCell<()> = OnceCell::new();

/// The slices, if they are made.
pub fn ready() -> Option<&'static Smaller> {
    SLABS.get()
}

/// The slices, made now if they are not yet.
pub fn get() -> &'static Smaller {
    // A pool of their own: whoever waits for them may hold all threads of the common one.
    SLABS.get_or_init(|| match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(make),
        Err(_) => make(),
    })
}

fn make() -> Smaller {
    let mut slabs = Smaller::default();
    for (mover, other) in pairs(STONES) {
        // Neither a stop nor a distance too long can come up among so few stones.
        if let Ok(pair) = build_pair(mover, other, Measure::Distance, &slabs, &|_| true) {
            pair.into_iter().for_each(|slab| slabs.insert(slab));
        }
    }
    slabs
}

/// Begins to make the slices on another thread, unless that was done before.
pub fn start() {
    STARTED.get_or_init(|| {
        // Without a thread they are made by whoever asks first.
        let _ = std::thread::Builder::new()
            .name("tables".into())
            .spawn(|| _ = get());
    });
}

/// Waits for the slices, but not longer than `limit` (`None` = however long it takes) and not
/// when `stopped`.
pub fn wait(limit: Option<Duration>, stopped: &dyn Fn() -> bool) {
    start();
    let begin = Instant::now();
    let in_time = || limit.is_none_or(|limit| begin.elapsed() < limit);
    while ready().is_none() && in_time() && !stopped() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The pairs of up to `stones` stones in the order in which they are built: the mover of the first
/// slice of each has at least as many stones as the other side.
pub fn pairs(stones: usize) -> impl Iterator<Item = (usize, usize)> {
    use super::index::MAX_SIDE;
    (2..=stones).flat_map(|total| {
        (1..=total / 2)
            .map(move |other| (total - other, other))
            .filter(|&(mover, _)| mover <= MAX_SIDE)
    })
}
