//! Rules that are easy to get wrong, each on a game of a few lines.

use std::sync::Arc;

use regulus_vgdl::{
    Action, Breakdown, Category, Event, Game, Generator, Level, Profile, State, Winner, trace,
};

fn level(game: &str, level: &str, profile: Profile) -> Arc<Level> {
    let loaded = Game::load(game, profile);
    let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let loaded = Level::load(&game, level);
    loaded.level.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// A game from its sets, with blocks of 10 pixels.
fn game(sprites: &str, interactions: &str, mapping: &str) -> String {
    let lines = |text: &str| {
        let nested = |line: &str| format!("    {}\n", line.trim_end());
        text.split(';').filter(|line| !line.trim().is_empty()).map(nested).collect::<String>()
    };
    format!(
        "BasicGame square_size=10\n  SpriteSet\n{}  InteractionSet\n{}  LevelMapping\n{}  TerminationSet\n    Timeout limit=500\n",
        lines(sprites),
        lines(interactions),
        lines(mapping)
    )
}

fn play_in(text: &str, map: &str, actions: &str, profile: Profile) -> State {
    let mut state = State::new(&level(text, map, profile), Generator::java(1));
    for letter in actions.chars() {
        state.advance(Action::from_letter(letter).expect("a letter of an action"));
    }
    state
}

fn play(text: &str, map: &str, actions: &str) -> State {
    play_in(text, map, actions, Profile::Y2021)
}

/// The sprites of a type as `x,y`, sorted.
fn at(state: &State, name: &str) -> Vec<(i32, i32)> {
    let id = state.level().game().type_named(name).expect("a type of the game");
    let mut found = Vec::new();
    state.each_of_type(id, &mut |sprite, _| found.push(sprite.position));
    found.sort_unstable();
    found
}

#[test]
fn an_inherited_class_wins_in_2021_and_the_own_one_in_2015() {
    let text = game("food > Immovable;  cake > Resource", "", "c > cake");
    let category = |profile| {
        let state = play_in(&text, "Ac", "", profile);
        [Category::Immovable, Category::Resource].map(|one| state.observe(one, None).len())
    };
    assert_eq!(category(Profile::Y2021), [1, 0]);
    assert_eq!(category(Profile::Y2015), [0, 1]);
}

#[test]
fn a_class_on_a_leaf_leaks_to_later_siblings_in_2015() {
    let text = game("top > Immovable;  a > Missile orientation=RIGHT;  b >", "", "a > a;b > b");
    let state = play_in(&text, "A   \na   \n    ", "NN", Profile::Y2015);
    assert_eq!(at(&state, "a"), [(10, 10)]);
    let class = |profile| {
        let level = level(&text, "A", profile);
        let id = level.game().type_named("b").unwrap();
        level.game().types()[usize::from(id)].class.unwrap().name()
    };
    assert_eq!([class(Profile::Y2015), class(Profile::Y2021)], ["Missile", "Immovable"]);
}

#[test]
fn a_later_line_of_a_pair_runs_at_the_place_of_the_first() {
    // Both coins, the cloned one too, are dead before they could kill the avatar.
    let sprites = "coin > Immovable";
    let order = "coin avatar > cloneSprite;avatar coin > killIfAlive;coin avatar > killSprite scoreChange=5";
    let state = play(&game(sprites, order, "c > coin"), "Ac", "R");
    assert_eq!(state.score(), 10);
    assert!(state.avatar().unwrap().alive);
}

#[test]
fn lines_at_the_edge_run_once_per_line_of_the_type() {
    let lines = "avatar EOS > stepBack scoreChange=1;avatar EOS > killSprite scoreChange=10";
    // The first effect puts the avatar back, so nothing else happens.
    assert_eq!(play(&game("", lines, ""), "A", "L").score(), 1);
    let lines =
        "avatar EOS > reverseDirection scoreChange=1;avatar EOS > flipDirection scoreChange=10";
    assert_eq!(play(&game("", lines, ""), "A", "L").score(), 22);
    // In 2015 effects at the edge do not score.
    assert_eq!(play_in(&game("", lines, ""), "A", "L", Profile::Y2015).score(), 0);
}

#[test]
fn a_killed_avatar_stays_in_2021_and_goes_in_2015() {
    let text = game("pit > Immovable", "avatar pit > killSprite scoreChange=-1", "p > pit");
    let new = play(&text, "Ap", "RN");
    assert!(!new.avatar().unwrap().alive);
    assert_eq!(new.score(), -2);
    assert_eq!(trace::sprite_lines(&new), ["!avatar 10 0", "pit 10 0"]);
    let old = play_in(&text, "Ap", "R", Profile::Y2015);
    assert!(old.avatar().is_none());
    assert_eq!(trace::line(&old).split(' ').nth(3), Some("null"));
}

#[test]
fn a_character_with_cons_stands_still_first() {
    let text = game("npc > RandomNPC cons=3", "", "n > npc");
    let map = "     \n     \n  n  \n     \nA    ";
    assert_eq!(at(&play(&text, map, "NNN"), "npc"), [(20, 20)]);
    assert_ne!(at(&play(&text, map, "NNNN"), "npc"), [(20, 20)]);
}

#[test]
fn missiles_wait_for_one_update_and_truncate_their_speed() {
    let text = game("m > Missile orientation=RIGHT speed=0.37", "", "m > m");
    assert_eq!(at(&play(&text, "A   \nm   ", "N"), "m"), [(0, 10)]);
    assert_eq!(at(&play(&text, "A   \nm   ", "NNN"), "m"), [(6, 10)]);
    let slow = game("m > Missile orientation=RIGHT speed=0.05", "", "m > m");
    assert_eq!(at(&play(&slow, "A   \nm   ", "NNNN"), "m"), [(0, 10)]);
}

#[test]
fn spawn_points_fire_at_their_first_tick_and_stop_at_their_total() {
    let text = game("s > SpawnPoint stype=e cooldown=3 total=2;e > Passive", "", "s > s");
    let count = |ticks: usize| {
        let state = play(&text, "A\ns", &"N".repeat(ticks));
        (at(&state, "e").len(), at(&state, "s").len())
    };
    assert_eq!([count(1), count(3), count(4)], [(1, 1), (1, 1), (2, 0)]);
}

#[test]
fn a_singleton_over_subtypes() {
    let text = game(
        "ghost > singleton=True;  red > Passive;  blue > Passive;s > SpawnPoint stype=blue",
        "",
        "r > red;s > s",
    );
    assert!(at(&play(&text, "A\ns\nr", "NN"), "blue").is_empty());
    assert_eq!(at(&play(&text, "A\ns", "NN"), "blue").len(), 1);
}

#[test]
fn a_box_moves_once_per_tick_in_2021() {
    let twice = "box avatar > bounceForward;box avatar > bounceForward";
    let text = game("box > Passive", twice, "b > box");
    assert_eq!(at(&play(&text, "A b  ", "RR"), "box"), [(30, 0)]);
    // The second push finds nobody behind the box.
    assert_eq!(at(&play_in(&text, "A b  ", "RR", Profile::Y2015), "box"), [(30, 0)]);
}

#[test]
fn undo_takes_everything_back_but_scores_and_kills() {
    let lines =
        "box avatar > bounceForward;coin avatar > killSprite scoreChange=1;box wall > undoAll";
    let text = game("box > Passive;coin > Immovable", lines, "b > box;c > coin box");
    let state = play(&text, "Acw", "R");
    assert_eq!((at(&state, "avatar"), at(&state, "box")), (vec![(0, 0)], vec![(10, 0)]));
    assert_eq!((state.score(), at(&state, "coin").len()), (1, 0));
}

#[test]
fn a_killed_sprite_still_acts_as_the_second() {
    let lines = "rat cat > killSprite scoreChange=1;cat rat > killSprite scoreChange=10";
    let text = game("rat > Passive;cat > Passive", lines, "x > rat cat");
    assert_eq!(play(&text, "Ax", "N").score(), 11);
}

#[test]
fn shields_hold_for_the_tick() {
    let lines = "avatar raft > shieldFrom ftype=killSprite stype=sea;avatar sea > killSprite";
    let text = game("sea > Immovable;raft > Immovable", lines, "r > sea raft;s > sea");
    assert!(play(&text, "Ars", "R").avatar().unwrap().alive);
    assert!(!play(&text, "Ars", "RR").avatar().unwrap().alive);
}

#[test]
fn timed_effects_fire_at_tick_0() {
    let lines = "avatar TIME > addHealthPoints timer=3 repeating=True scoreChange=1";
    let text = game("", lines, "");
    let scores = ["N", "NNN", "NNNN", "NNNNNNN"].map(|ticks| play(&text, "A", ticks).score());
    assert_eq!(scores, [1, 1, 2, 3]);
}

#[test]
fn an_added_timer_scores_now_and_when_it_fires() {
    let lines = "avatar key > addTimer timer=2 ftype=killAll stype=door scoreChange=1;key avatar > killSprite";
    let text = game("key > Immovable;door > Door", lines, "k > key;d > door");
    let seen = ["R", "RN", "RNN"].map(|ticks| {
        let state = play(&text, "Akd", ticks);
        (state.score(), at(&state, "door").len())
    });
    assert_eq!(seen, [(1, 1), (1, 1), (2, 0)]);
}

#[test]
fn resources() {
    let lines = "gem avatar > collectResource scoreChange=1;avatar shop > changeResource resource=gem value=-5 scoreChange=7";
    let text = game("gem > Resource value=2 limit=3;shop > Immovable", lines, "g > gem;s > shop");
    let gem = |state: &State| state.avatar().unwrap().resources.first().map(|held| held.1);
    // The second gem fills up to the limit; the third stays where it is.
    let state = play(&text, "Aggg", "RRR");
    assert_eq!((gem(&state), state.score(), at(&state, "gem").len()), (Some(3), 2, 1));
    // A negative change always happens, and not below 0.
    let state = play(&text, "Ags", "RR");
    assert_eq!((gem(&state), state.score()), (Some(0), 8));
}

#[test]
fn shots_need_ammunition_and_come_from_the_avatar() {
    let sprites = "avatar > ShootAvatar stype=arrow ammo=quiver;arrow > Missile;quiver > Resource limit=5 value=1;pot > Immovable";
    let lines = "quiver avatar > collectResource;pot arrow > killBoth scoreChange=3";
    let text = game(sprites, lines, "q > quiver;p > pot");
    assert!(at(&play(&text, "Aq  p", "S"), "arrow").is_empty());
    let state = play(&text, "Aq   ", "RSN");
    assert_eq!(at(&state, "arrow"), [(30, 0)]);
    assert_eq!(state.observe(Category::FromAvatar, None).len(), 1);
    let state = play(&text, "Aq   p", "RSNNS");
    assert_eq!(state.score(), 3);
    let events = state.events();
    let hit = events.last().unwrap();
    assert!(hit.from_avatar);
    assert_eq!(hit.position, (50, 0));
    let active: Vec<bool> = events.iter().map(|event: &Event| event.from_avatar).collect();
    assert_eq!(active, [false, true]);
}

#[test]
fn an_avatar_that_changes_keeps_its_score() {
    let lines = "avatar door > transformTo stype=ghost scoreChange=2";
    let text = game("door > Door;ghost > HorizontalAvatar", lines, "d > door");
    let state = play(&text, "Ad ", "RR");
    assert_eq!((at(&state, "ghost"), state.score()), (vec![(20, 0)], 2));
    assert_eq!(state.actions(), [Action::Left, Action::Right]);
    assert!(at(&state, "avatar").is_empty());
}

#[test]
fn pulled_once_per_tick() {
    let text = game(
        "log > Missile orientation=RIGHT speed=0.2",
        "avatar log > pullWithIt",
        "x > log log avatar",
    );
    assert_eq!(at(&play(&text, "x    ", "NNN"), "avatar"), [(4, 0)]);
}

#[test]
fn the_end() {
    let text = game("", "", "").replace("Timeout limit=500", "Timeout limit=3 win=True");
    assert_eq!(play(&text, "A", "NNN").winner(), Winner::Nobody);
    let over = play(&text, "A", "NNNNN");
    assert_eq!((over.winner(), over.is_over(), over.tick()), (Winner::Won, true, 4));
    assert!(over.actions().is_empty());
    let endless = text.replace("limit=3", "limit=9999");
    let lost = play(&endless, "A", &"N".repeat(2100));
    assert_eq!((lost.winner(), lost.tick()), (Winner::Lost, 2001));
}

#[test]
fn actions_that_the_avatar_does_not_have_do_nothing() {
    let text = game("avatar > HorizontalAvatar", "", "");
    assert_eq!(at(&play(&text, "  \nA ", "USR"), "avatar"), [(10, 10)]);
}

#[test]
fn observations_by_category_and_place() {
    let sprites = "floor > Immovable hidden=True;gem > Resource;exit > Door;npc > RandomNPC cons=99;box > Passive;rock > Immovable";
    let text = game(sprites, "", ". > floor;g > gem;e > exit;n > npc;b > box;r > rock");
    let state = play(&text, "A.gg\nenbr", "");
    let counts = [
        Category::Avatar,
        Category::Resource,
        Category::Portal,
        Category::Npc,
        Category::Immovable,
        Category::FromAvatar,
        Category::Movable,
    ]
    .map(|category| {
        state.observe(category, None).iter().map(|(_, list)| list.len()).sum::<usize>()
    });
    assert_eq!(counts, [1, 2, 1, 1, 1, 0, 1]);
    let gems = &state.observe(Category::Resource, Some((40, 0)))[0].1;
    assert_eq!(gems[0].position, (30, 0));
    let grid = state.observation_grid();
    assert_eq!((grid.len(), grid[0].len()), (2, 4));
    assert_eq!((grid[0][1].len(), grid[1][0].len()), (0, 1));
}

#[test]
fn a_trace_names_the_first_difference() {
    let text = game("coin > Immovable", "coin avatar > killSprite scoreChange=1", "c > coin");
    let level = level(&text, "Ac", Profile::Y2021);
    let mut state = State::new(&level, Generator::java(5));
    let mut recorded =
        String::from("TRACE small 0 0 5\nLEVEL 2 1 10 stoch=0 warn=0\nACTIONS LRDU\n");
    recorded.push_str(&format!("INIT {}\n= avatar 0 0\n= coin 10 0\n", trace::line(&state)));
    for (tick, letter) in "NRN".chars().enumerate() {
        state.advance(Action::from_letter(letter).unwrap());
        recorded.push_str(&format!("T {tick} {letter} {}\n", trace::line(&state)));
    }
    recorded.push_str("END 3\n");
    assert_eq!(trace::heading(&recorded), Some(("small", 0)));
    let report = trace::replay(&level, &recorded).unwrap();
    assert_eq!((report.sequences, report.ticks, report.differences.len()), (1, 3, 0));
    let wrong = recorded.replace("T 1 R 1 0", "T 1 R 2 0");
    let report = trace::replay(&level, &wrong).unwrap();
    let difference = &report.differences[0];
    assert_eq!((difference.tick, difference.line, report.ticks), (Some(1), 8, 1));
    assert!(difference.to_string().contains("expected 2 0 -1 avatar 10 0"));
    // The recording says which sprites it has when they differ.
    let moved =
        recorded.replace(" 1 0 -1 avatar 10 0 0 0 1 0 - 1 ", " 1 0 -1 avatar 10 0 0 0 1 0 - 2 ");
    let moved = moved.replacen("T 2", "- avatar 0 0\n+ avatar 10 0\nT 2", 1);
    let difference = &trace::replay(&level, &moved).unwrap().differences[0];
    assert_eq!(difference.sprites, ["- coin 10 0"]);
    assert!(trace::replay(&level, "nonsense\n").is_err());
}

#[test]
fn states_go_to_other_threads() {
    fn check<T: Send + Sync + Clone>(_: &T) {}
    let text = game("", "avatar wall > stepBack", "");
    let state = play(&text, "wA w", "");
    check(&state);
    let mut copy = state.clone();
    let moved = std::thread::spawn(move || {
        copy.advance(Action::Right);
        copy.fingerprint()
    });
    let mut here = state.clone();
    here.advance(Action::Right);
    assert_eq!(moved.join().unwrap(), here.fingerprint());
    assert_ne!(state.fingerprint(), here.fingerprint());
}

/// The framework of 2021 does not copy what a turning avatar drops: its agents look ahead to walls.
#[test]
fn copies_of_a_turning_avatar_drop_walls() {
    let sprites =
        "trail > Immovable;avatar > OngoingTurningAvatar spawnBehind=trail orientation=RIGHT";
    let text = game(sprites, "", "");
    let map = "A       ";
    let mut state = play(&text, map, "NNN");
    assert_eq!((at(&state, "trail"), at(&state, "wall")), (vec![(0, 0), (10, 0)], vec![]));
    let mut copy = state.clone();
    let mut second = state.clone();
    second.clone_from(&state);
    for copy in [&mut copy, &mut second] {
        copy.advance(Action::Nil);
        assert_eq!(at(copy, "trail"), [(0, 0), (10, 0)]);
        assert_eq!(at(copy, "wall"), [(20, 0)]);
    }
    // The game itself goes on.
    state.advance(Action::Nil);
    assert_eq!(at(&state, "trail"), [(0, 0), (10, 0), (20, 0)]);
    assert!(at(&state, "wall").is_empty());

    // Sprites after the first one of their type are copies of it.
    let sprites = "trail > Immovable;gate > Immovable;\
                   avatar > OngoingTurningAvatar spawnBehind=trail orientation=RIGHT";
    let text = game(
        sprites,
        "avatar gate > transformTo stype=avatar;gate avatar > killSprite",
        "g > gate",
    );
    let state = play(&text, "A  g    ", "NNNNNNN");
    assert_eq!(at(&state, "trail"), [(0, 0), (10, 0), (20, 0)]);
    assert!(at(&state, "wall").contains(&(40, 0)), "{:?}", at(&state, "wall"));
}

/// Games that breed without end come to one: every tick has a bound, and nobody has won.
#[test]
fn games_that_breed_break_down() {
    let games = [
        // Every sprite makes another one in every tick.
        ("seed > SpawnPoint stype=seed", "", "s > seed"),
        // Out of sight.
        ("bird > Bomber stype=bird orientation=LEFT speed=1", "", "s > bird"),
        ("fire > Spreader stype=fire limit=9999", "", "s > fire"),
        ("a > Immovable", "a avatar > cloneSprite", "s > a"),
        ("a > Immovable", "a a > cloneSprite", "s > a a"),
        ("a > RandomNPC", "a a > cloneSprite;a EOS > cloneSprite", "s > a a"),
        (
            "a > Immovable;b > Immovable",
            "a avatar > spawn stype=b;b avatar > spawn stype=a",
            "s > a",
        ),
        (
            "a > Immovable;b > Immovable",
            "a avatar > transformTo stype=b;b avatar > spawn stype=a;a avatar > spawn stype=b",
            "s > a b",
        ),
        ("a > Missile speed=5 orientation=RIGHT", "a EOS > cloneSprite", "s > a"),
        // They look for each other.
        ("a > Chaser stype=a;n > SpawnPoint stype=a", "a avatar > cloneSprite", "s > a n"),
    ];
    for (sprites, interactions, mapping) in games {
        for profile in [Profile::Y2021, Profile::Y2015] {
            let text = game(sprites, interactions, mapping);
            if Game::load(&text, profile).game.is_none() {
                assert_eq!(profile, Profile::Y2015, "{text}");
                continue;
            }
            // Several ones stand where the avatar is.
            let text = text.replace("s >", "A > avatar\n    s >");
            let text = text.replace("A > avatar", &mapping.replace("s >", "A > avatar"));
            let state = play_in(&text, "  A  \n s s \n     ", &"N".repeat(600), profile);
            assert!(state.is_over(), "{text}");
            // In 2015 there is a limit of sprites and nothing else: some games go on until their time is over.
            if state.breakdown().is_some() {
                assert_eq!(state.winner(), Winner::Nobody, "{text}");
            } else {
                assert_eq!(state.tick(), 501, "{text}");
                assert!(profile == Profile::Y2015 || state.sprite_count() < 10_000, "{text}");
            }
        }
    }
}

/// The framework of 2021 ends a game when sprites had no room 26 times.
#[test]
fn no_room_for_sprites() {
    let text = game("n > SpawnPoint stype=a;a > Immovable", "", "n > n n n n n n n n n n");
    let map = format!("A{}", "n".repeat(99));
    let state = play(&text, &map, &"N".repeat(20));
    assert_eq!((state.breakdown(), state.tick()), (Some(Breakdown::Sprites), 10));
    assert!(state.is_over() && state.winner() == Winner::Nobody);
    assert_eq!(state.sprite_count(), 10_001);
    let old = play_in(&text, &map, &"N".repeat(20), Profile::Y2015);
    assert_eq!((old.breakdown(), old.is_over(), old.sprite_count()), (None, false, 10_001));
}

/// Effects that wait, and resources that are held, have bounds of their own.
#[test]
fn timers_and_resources_have_bounds() {
    let add = "a avatar > addTimer timer=400 ftype=killAll stype=b repeat=200";
    let many = "A > avatar a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a";
    let text = game("a > Immovable;b > Immovable", add, many);
    let state = play(&text, "A", "NNNN");
    assert_eq!(state.breakdown(), Some(Breakdown::Timers));
    let resources: String =
        (0..100).map(|number| format!("r{number} > Resource limit=9;")).collect();
    let give: String = (0..100)
        .map(|number| format!("a wall > changeResource resource=r{number} value=1;"))
        .collect();
    let text = game(&format!("{resources}a > Immovable"), &give, "a > a wall");
    let state = play(&text, &format!("A{}", "a".repeat(200)), "N");
    assert_eq!(state.breakdown(), Some(Breakdown::Resources));
}
