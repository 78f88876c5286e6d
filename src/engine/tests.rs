use super::*;

#[test]
fn a_bad_value_changes_nothing() -> Result<(), TableError> {
    let mut engine = Engine::new()?;
    assert!(engine.set_option("threads", Some("2")).is_ok());
    for value in [
        None,
        Some("0"),
        Some("-1"),
        Some("x"),
        Some("99999999999999999999"),
    ] {
        assert!(engine.set_option("Threads", value).is_err(), "{value:?}");
    }
    assert_eq!(engine.options().threads, 2);
    assert!(engine.set_option("Elo", Some("1")).is_err());
    assert!(engine.set_option("clear HASH", None).is_ok());
    Ok(())
}

#[test]
fn an_illegal_move_in_a_list_leaves_the_old_game() -> Result<(), TableError> {
    let mut engine = Engine::new()?;
    assert!(engine.set_position(Position::start(), &["c2c3"]).is_ok());
    let before = *engine.game().position();
    let error = engine.set_position(Position::start(), &["c2c3", "e5e4"]);
    assert_eq!(error.map_err(|e| e.number), Err(2));
    assert_eq!(*engine.game().position(), before);
    Ok(())
}

#[test]
fn analysis_has_no_contempt() -> Result<(), TableError> {
    let mut engine = Engine::new()?;
    assert!(engine.set_option("Contempt", Some("-30")).is_ok());
    assert_eq!(engine.options().contempt, -30);
    assert!(engine.set_option("UCI_AnalyseMode", Some("True")).is_ok());
    assert_eq!(engine.options().contempt, 0);
    Ok(())
}

#[test]
fn stoppable_perft_counts_like_the_plain_one() {
    let game = Game::new(Position::start(), 0);
    let counts = divide(&game, 9, &Signal::default());
    let total = counts.map(|c| c.iter().map(|&(_, n)| n).sum::<u64>());
    assert_eq!(total, Some(14_375));
}
