//! What is combined in an experiment: games, pairs of agents and limits, all with all. A table of a paper often
//! consists of several such blocks, since some agents play some games only or have an opponent of their own;
//! a declaration has a `[[part]]` for each.

use super::declaration::DeclarationError;
use super::declaration_check as check;
use super::kind::Kind;
use super::toml_section::{Located, Section};
use crate::budget::Budget;

/// The keys of a `[[part]]`.
pub const KEYS: &[&str] = &["games", "baseline", "agents", "pairs", "limits"];

/// Games, pairs and limits of which every combination is played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Combinations {
    /// The games.
    pub games: Vec<String>,
    /// Whom every agent plays against.
    pub baseline: Option<String>,
    /// The agents.
    pub agents: Vec<String>,
    /// All pairs: every agent with the baseline, then those that are listed.
    pub pairs: Vec<[String; 2]>,
    /// The pairs that are listed.
    listed: Vec<[String; 2]>,
    /// What an agent may use for a move.
    pub limits: Vec<Budget>,
}

impl Combinations {
    /// Reads the lists of a section. What is not there is as in `rest`.
    pub fn read(
        section: &Section<'_>,
        kind: Kind,
        rest: &Combinations,
    ) -> Result<Self, DeclarationError> {
        let (game, agent): (check::Check, check::Check) = match kind {
            Kind::Matches | Kind::Speed => (check::game, check::agent),
            Kind::Video => (check::video_game, check::video_agent),
        };
        let games = check::names(section.texts("games")?, "game", game)?;
        let baseline = section.text("baseline")?.map(agent).transpose()?;
        let agents = check::names(section.texts("agents")?, "agent", agent)?;
        let listed = listed(section.pairs("pairs")?)?;
        let mut read = Combinations {
            games: or(games, &rest.games),
            baseline: baseline.or_else(|| rest.baseline.clone()),
            agents: or(agents, &rest.agents),
            pairs: Vec::new(),
            listed: or(listed, &rest.listed),
            limits: or(limits(section, kind)?, &rest.limits),
        };
        if let (Kind::Matches, Some(baseline)) = (kind, &read.baseline) {
            read.pairs = read.agents.iter().map(|a| [a.clone(), baseline.clone()]).collect();
        }
        for pair in &read.listed {
            if read.pairs.contains(pair) {
                let [one, other] = pair;
                let message = format!("the pair `{one}`, `{other}` is there already");
                return Err(DeclarationError::new(section.line, message));
            }
            read.pairs.push(pair.clone());
        }
        Ok(read)
    }

    /// Finds out if anything is missing; `line` is where they are declared.
    pub fn check(&self, kind: Kind, line: usize) -> Result<(), DeclarationError> {
        let need = |there: bool, key: &str| match there {
            true => Ok(()),
            false => Err(DeclarationError::new(line, format!("`{key}` is missing or empty"))),
        };
        need(!self.games.is_empty(), "games")?;
        need(!self.limits.is_empty(), "limits")?;
        need(!self.agents.is_empty() || !self.listed.is_empty(), "agents")?;
        let against = match kind {
            Kind::Matches => None,
            Kind::Speed if self.listed.is_empty() => None,
            Kind::Speed => {
                Some("`pairs` has no meaning here: kind = \"speed\" has `agents` and `searches`")
            }
            Kind::Video if self.listed.is_empty() && self.baseline.is_none() => None,
            Kind::Video => {
                Some("agents play video games alone: there is no `baseline`, there are no `pairs`")
            }
        };
        if let Some(message) = against {
            return Err(DeclarationError::new(line, message));
        }
        let alone = kind != Kind::Matches || self.agents.is_empty();
        need(self.baseline.is_some() || alone, "baseline")
    }

    /// True if they have a game, agents (one where speed is measured or video games are played, else the first one and its
    /// opponents) and a limit, all by their names.
    pub fn includes(&self, game: &str, agents: &[String], limit: &str) -> bool {
        let is = |declared: &String, name: &String| check::short_name(declared) == *name;
        let takes_part = match agents {
            [] => false,
            [agent] => self.baseline.iter().chain(&self.agents).any(|one| is(one, agent)),
            [agent, .., other] => {
                self.pairs.iter().any(|[one, two]| is(one, agent) && is(two, other))
            }
        };
        takes_part
            && self.games.iter().any(|one| check::short_name(one) == game)
            && self.limits.iter().any(|one| one.to_string() == limit)
    }
}

/// A list, or another one if it is empty.
fn or<T: Clone>(list: Vec<T>, other: &[T]) -> Vec<T> {
    if list.is_empty() { other.to_vec() } else { list }
}

fn limits(section: &Section<'_>, kind: Kind) -> Result<Vec<Budget>, DeclarationError> {
    let mut limits = Vec::new();
    for given in section.texts("limits")? {
        let budget = check::limit(&given)?;
        if kind == Kind::Video && matches!(budget, Budget::Calibrated(..)) {
            let message =
                format!("`{budget}` is measured with board games; give time, sims or states");
            return Err(DeclarationError::new(given.line, message));
        }
        if limits.contains(&budget) {
            return Err(DeclarationError::new(given.line, format!("`{budget}` is given twice")));
        }
        limits.push(budget);
    }
    Ok(limits)
}

fn listed(given: Vec<[Located<String>; 2]>) -> Result<Vec<[String; 2]>, DeclarationError> {
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for [one, other] in given {
        let line = one.line;
        let pair = [check::agent(one)?, check::agent(other)?];
        if pairs.contains(&pair) {
            let [one, other] = pair;
            let message = format!("the pair `{one}`, `{other}` is there already");
            return Err(DeclarationError::new(line, message));
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use crate::experiment::Declaration;

    const A: &str = "mcts_orthodox_orthodox";
    const B: &str = "mctsM_orthodox_semisplit";
    const C: &str = "mctsMS_orthodox_semisplit";

    /// A declaration with two parts: B plays A in two games in time, C plays B in one for its states.
    fn declaration(more: &str) -> String {
        format!(
            "title = 'parts'\ngames = ['chess', 'gomoku']\nlimits = ['time=50ms']\n\
             games_per_pair = 2\n{more}\n\
             [[part]]\nbaseline = '{A}'\nagents = ['{B}']\n\
             [[part]]\ngames = ['gomoku']\nbaseline = '{B}'\nagents = ['{C}']\nlimits = ['fs0=50ms']\n"
        )
    }

    #[test]
    fn only_parts_are_played() {
        let read = Declaration::parse(&declaration("")).expect("it is right");
        assert_eq!(read.games, ["chess", "gomoku"]);
        assert_eq!(read.agent_names(), [B, C, A]);
        let mut played = Vec::new();
        for game in ["chess", "gomoku"] {
            for (one, other) in [(B, A), (C, B), (C, A), (A, B)] {
                for limit in ["time=50ms", "fs0=50ms"] {
                    if read.includes(game, &[one.to_owned(), other.to_owned()], limit) {
                        played.push((game, one, limit));
                    }
                }
            }
        }
        let expected =
            [("chess", B, "time=50ms"), ("gomoku", B, "time=50ms"), ("gomoku", C, "fs0=50ms")];
        assert_eq!(played, expected);
    }

    #[test]
    fn figures_belong_to_parts() {
        let figure = |game: &str, agent: &str, against: &str, limit: &str, more: &str| {
            let figure = format!(
                "published = [{{ game = '{game}', agent = '{agent}', against = '{against}', \
                 limit = '{limit}', win_rate = 50{more} }}]"
            );
            Declaration::parse(&declaration(&figure)).map_err(|error| error.message)
        };
        assert!(figure("chess", B, A, "time=50ms", "").is_ok());
        let counted = figure("average", C, B, "fs0=50ms", ", better = 1, similar = 0, worse = 2");
        assert_eq!(counted.expect("it is right").published[0].counts, Some([1, 0, 2]));
        for (game, agent, against, limit) in [
            ("chess", C, B, "fs0=50ms"),
            ("chess", B, A, "fs0=50ms"),
            ("average", C, A, "fs0=50ms"),
        ] {
            let why = figure(game, agent, against, limit, "").expect_err("it is not played");
            assert!(why.contains("not part of this experiment"), "{why}");
        }
        let why = figure("chess", B, A, "time=50ms", ", better = 1, similar = 0, worse = 2");
        assert!(why.expect_err("one game").contains("belong to an average"));
        let why =
            figure("average", B, A, "time=50ms", ", better = 1").expect_err("two are missing");
        assert!(why.contains("given together"), "{why}");
    }

    #[test]
    fn what_is_missing_is_told_with_its_line() {
        let why = |text: &str| Declaration::parse(text).expect_err("wrong").to_string();
        let text = declaration("").replace(&format!("baseline = '{B}'\n"), "");
        assert_eq!(why(&text), "line 9: `baseline` is missing or empty");
        let speed = "title = 't'\nkind = 'speed'\ngames = ['chess']\nlimits = ['time=1s']\n";
        let text = format!("{speed}[[part]]\nagents = ['{B}']\nbaseline = '{A}'\n");
        assert!(why(&text).contains("what all speeds are compared with"));
        let text = declaration("").replace("chess", "games/go.rbg");
        let text = text.replace("games = ['gomoku']", "games = ['go']");
        assert!(why(&text).contains("there are two games with the name `go`"));
    }
}
