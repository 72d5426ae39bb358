//! What a program that embeds the library does, on built-in games: figures that others have published, and
//! everything twice with the same seed.

use regulus::{Action, Agent, Error, Game, Limits, Strategy, VideoGame, wire};

/// Plays a game of an agent against itself; gives its moves in words and the final scores.
fn play(game: &Game, agent: &Agent, seed: u64) -> Result<(Vec<String>, Vec<u32>), Error> {
    let (mut position, mut player) = (game.start()?, agent.player(game, seed)?);
    let mut moves = Vec::new();
    while let Some(best) = player.think(&Limits::simulations(30))?.chosen {
        assert_eq!(player.position().hash(), position.hash());
        moves.push(position.in_words(&best).expect("agents play legal moves"));
        position.play(&best)?;
        player.advance(&best)?;
    }
    assert!(position.is_over());
    Ok((moves, position.scores()))
}

#[test]
fn the_same_seed_gives_the_same_game() -> Result<(), Error> {
    for (name, agent) in [
        ("breakthrough", "auto"),
        ("english-draughts", "mctsM_semisplitNodal_semisplit"),
        ("peg-solitaire", "auto"),
    ] {
        let (game, agent) = (Game::builtin(name)?, agent.parse()?);
        let first = play(&game, &agent, 1)?;
        assert_eq!(first, play(&game, &agent, 1)?, "{name}");
        // Another game and other code, but the same rules.
        assert_eq!(first, play(&Game::builtin(name)?, &agent, 1)?, "{name}");
        assert_ne!(first.0, play(&game, &agent, 2)?.0, "{name}");
    }
    Ok(())
}

#[test]
fn every_move_is_found_by_its_words_and_its_numbers() -> Result<(), Error> {
    for built_in in regulus::GAMES {
        let mut position = Game::builtin(built_in.name)?.start()?;
        for ply in 0..3 {
            if position.is_over() {
                break;
            }
            for steps in position.legal().iter() {
                let words = position.in_words(steps).expect("a legal move");
                assert_eq!(position.find(&words)?, steps, "{}: {words}", built_in.name);
                assert_eq!(position.find(&wire::text(steps))?, steps, "{}", built_in.name);
            }
            let next = position.legal().get(position.legal().len() / (ply + 2)).to_vec();
            position.play(&next)?;
        }
    }
    Ok(())
}

#[test]
fn what_is_no_move_is_refused() -> Result<(), Error> {
    let game = Game::builtin("chess")?;
    let mut position = game.start()?;
    let (hash, first) = (position.hash(), position.legal().get(0).to_vec());
    for text in ["", "nonsense", "x0y0", "1 1", "rx4y1 rx4y4"] {
        assert!(position.find(text).is_err(), "{text}");
    }
    let mut player = "auto".parse::<Agent>()?.player(&game, 1)?;
    for wrong in [&first[1..], &[]] {
        assert!(matches!(position.play(wrong).map_err(Error::from), Err(Error::Move(_))));
        assert!(matches!(player.advance(wrong), Err(Error::Move(_))));
    }
    assert_eq!((position.hash(), position.moves().len()), (hash, 0));
    // What is enough to tell moves apart is enough to name one.
    let e4 = position.find("x4y6 x4y4")?;
    position.play(&e4)?;
    assert_ne!(position.hash(), hash);
    assert!(position.undo()? && !position.undo()?);
    assert_eq!(position.hash(), hash);
    Ok(())
}

/// Published: chess and draughts by many, tic-tac-toe has 127,872 games of nine moves.
#[test]
fn leaves_are_those_that_others_have_counted() -> Result<(), Error> {
    let games = [("chess", 3, 8_902), ("english-draughts", 5, 7_361), ("tic-tac-toe", 9, 127_872)];
    for (name, depth, leaves) in games {
        let game = Game::builtin(name)?;
        assert_eq!(game.why_interpreted().is_none(), cfg!(feature = "native"), "{name}");
        let slow = game.interpreted();
        assert!(slow.why_interpreted().is_some());
        assert_eq!(game.start()?.perft(depth)?, leaves, "{name}");
        assert_eq!(slow.start()?.perft(depth)?, leaves, "{name}");
    }
    Ok(())
}

#[test]
fn semimoves_of_every_strategy_make_the_legal_moves() -> Result<(), Error> {
    for strategy in Strategy::ALL {
        for game in [Game::builtin("breakthrough")?, Game::builtin("breakthrough")?.interpreted()] {
            let mut position = game.split(strategy).start()?;
            let mut begun = vec![Vec::new()];
            let mut whole = Vec::new();
            while let Some(steps) = begun.pop() {
                let next = position.semimoves(&steps)?;
                if position.in_words(&steps).is_some() {
                    assert!(next.is_empty(), "a whole move goes no further");
                    whole.push(steps);
                    continue;
                }
                begun.extend(next.into_iter().map(|step| [&steps[..], &[step]].concat()));
            }
            assert_eq!(whole.len(), 22, "{}", strategy.name());
            let sums = position.semimove_playouts(3, 1)?;
            assert_eq!((sums.count, &sums), (3, &position.semimove_playouts(3, 1)?));
            // With the split points in it or without, it is the same move.
            let last = whole.pop().expect("there are moves");
            position.play(&last)?;
            assert_eq!(position.player(), 2);
            assert!(position.semimoves(&last).is_err());
        }
    }
    Ok(())
}

#[test]
fn random_games_end_with_scores() -> Result<(), Error> {
    let position = Game::builtin("connect-four")?.start()?;
    let sums = position.playouts(2000, 7)?;
    assert_eq!(sums, position.playouts(2000, 7)?);
    assert!((7.0..=42.0).contains(&sums.mean_length()));
    // Who begins wins more often, and all of a game is 100 points.
    let scores = sums.mean_scores();
    assert!(scores[0] > scores[1] && (scores[0] + scores[1] - 100.0).abs() < 1e-9, "{scores:?}");
    Ok(())
}

fn play_video(seed: u64) -> Result<(String, i32, u64), Error> {
    let level = VideoGame::builtin("vgdl/caravan")?.level(1)?;
    let agent: Agent = "auto".parse()?;
    let (mut state, mut player) = (level.start(seed), agent.video_player(seed)?);
    player.begin(&state, &Limits::simulations(20));
    let mut actions = String::new();
    while !state.is_over() {
        let decision = player.act(&state, &Limits::simulations(10));
        assert!(decision.action == Action::Nil || state.actions().contains(&decision.action));
        state.advance(decision.action);
        actions.push(decision.action.letter());
    }
    Ok((actions, state.score(), state.fingerprint()))
}

#[test]
fn video_games_are_played_to_their_end() -> Result<(), Error> {
    let first = play_video(1)?;
    assert_eq!(first, play_video(1)?);
    assert_ne!(first.0, play_video(2)?.0);
    Ok(())
}

#[test]
fn errors_say_what_was_meant() {
    let unknown = |result: Result<(), Error>| match result {
        Err(Error::Unknown(why)) => why,
        other => panic!("{other:?}"),
    };
    let text = unknown(Game::builtin("brakthrough").map(drop));
    assert_eq!(text, "there is no built-in game `brakthrough`; did you mean `breakthrough`?");
    let text = unknown(VideoGame::builtin("carawan").map(drop));
    assert_eq!(
        text,
        "there is no built-in video game `vgdl/carawan`; did you mean `vgdl/caravan`?"
    );
    let level = VideoGame::builtin("caravan").and_then(|game| game.level(9).map(drop));
    assert_eq!(unknown(level), "vgdl/caravan has no level 9; its levels are 0 to 2");
    assert!(matches!(Game::load("no/such/file.rbg"), Err(Error::File(_))));
    assert!(matches!(Agent::load("no/such/file.json"), Err(Error::File(_))));
    assert!(matches!(Agent::from_json("mine", "{"), Err(Error::Agent(_))));
}

#[test]
fn an_agent_plays_its_own_kind_of_games() -> Result<(), Error> {
    let game = Game::builtin("hex")?;
    assert!(matches!("vg-ol-mcts".parse::<Agent>()?.player(&game, 1), Err(Error::Agent(_))));
    assert!(matches!(
        "mcts_orthodox_orthodox".parse::<Agent>()?.video_player(1),
        Err(Error::Agent(_))
    ));
    // A search for one player does not play a game for two.
    assert!(matches!("nmcs_level2".parse::<Agent>()?.player(&game, 1), Err(Error::Search(_))));
    Ok(())
}

/// As `regulus check` prints it: the code, the place, the line, and a suggestion.
#[test]
fn descriptions_are_diagnosed() {
    let text = regulus::GAMES[0].text.replace("#pieces", "#piecs");
    let error = Game::from_text("mine.rbg", &text).expect_err("a directive is misspelt");
    let message = error.to_string();
    for part in ["error[RBG", "mine.rbg:", "#piecs", "mine.rbg has errors"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(message, format!("{error:?}"));
    let game = VideoGame::from_text("mine.txt", "BasicGame\n  SpritSet\n");
    let message = game.expect_err("a section is misspelt").to_string();
    for part in ["error[VGDL0003]", "mine.txt:2:3", "did you mean `SpriteSet`?"] {
        assert!(message.contains(part), "{message}");
    }
}
