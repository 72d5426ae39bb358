//! Our agents and our manager, for many games in a row.

mod network;

use network::{agent, game, join_settings, start, start_join};
use regulus_server::manager::ManagerSettings;

/// A thousand games of tic-tac-toe with swapped seats: nothing is lost, and both sides agree.
#[test]
fn a_thousand_games() {
    const GAMES: u64 = 1000;
    let text = regulus_games::find("tic-tac-toe").expect("built in").text;
    let game = game(text);
    let settings = ManagerSettings {
        games: Some(GAMES),
        swap: true,
        connect_timeout: Some(network::PATIENCE),
        ..ManagerSettings::new(game, text)
    };
    let manager = start(settings);
    let players: Vec<_> = [1, 2]
        .map(|seed| {
            let mut settings = join_settings(manager.address);
            settings.seed = seed;
            start_join(settings, agent())
        })
        .into_iter()
        .collect();
    let ended = manager.end();
    ended.result.as_ref().expect("all games");
    assert_eq!(ended.outcomes(), vec!["finished"; GAMES as usize]);
    let distinct: std::collections::BTreeSet<_> = ended.records.iter().map(|r| &r.moves).collect();
    assert!(distinct.len() > 500, "{} distinct games", distinct.len());
    for player in players {
        let joined = player.join().expect("no crash");
        assert_eq!(joined.result.expect("all games"), GAMES);
        let results = joined.notices.iter().filter(|notice| notice.starts_with("game "));
        for (record, told) in ended.records.iter().zip(results) {
            let scores = format!("{} : {} after", record.scores[0], record.scores[1]);
            assert!(told.contains(&scores), "{told}, but {scores}");
        }
    }
}
