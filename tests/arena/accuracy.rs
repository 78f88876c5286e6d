//! Exactness of single moves, asked of a real child process.

use std::sync::Arc;
use std::time::Duration;

use alquerque::arena::accuracy::{Accuracy, Examination, examine};
use alquerque::arena::engine::{Budget, EngineConfig, Player, Surroundings};
use alquerque::rules::{Point, Position, Side};

use crate::support::Arena;

/// Not a value of the game, but of a known one: White wins with a stone on c3, else it is drawn.
fn holds_c3(position: &Position) -> Option<i32> {
    let won = i32::from(position.stones(Side::White).has(Point::at(2, 2)));
    Some(if position.side() == Side::White {
        won
    } else {
        -won
    })
}

fn exam(mode: &str) -> Accuracy {
    let arena = Arena::new();
    let config: EngineConfig = arena.engine("a", mode, 7).parse().expect("an engine");
    let surroundings = Arc::new(Surroundings {
        startup: Duration::from_secs(20),
        ..Surroundings::default()
    });
    let mut player = Player::start(&config, 0, &[], &surroundings).expect("it starts");
    let examination = Examination {
        stones: (4, 6),
        positions: 60,
        seed: 3,
        go: "go nodes 1".to_owned(),
        budget: Budget {
            flag: None,
            patience: Duration::from_secs(20),
        },
    };
    let mut told = 0;
    let accuracy = examine(&mut player, &examination, &holds_c3, &mut |_| told += 1);
    assert_eq!(told, 60);
    accuracy.expect("the engine answers")
}

#[test]
fn random_moves_keep_some_values_and_wrong_ones_none() {
    let random = exam("random");
    assert_eq!(random.wins.positions + random.draws.positions, 60);
    assert_eq!(random.wrong, 0);
    assert!(
        random.wins.positions > 0 && random.draws.positions > 0,
        "{random:?}"
    );
    assert!(0.1 < random.share() && random.share() < 0.95, "{random:?}");
    assert_eq!(exam("random"), random, "the same seed asks the same");
    let garbage = exam("garbage");
    // It plays two moves before it fails.
    assert_eq!(garbage.wrong, 58);
    assert!(garbage.share() < 0.05, "{garbage:?}");
}
