//! Agents: a configuration of [`regulus_search`] with a name, a split strategy and manners.
//!
//! An agent comes from a JSON file with the keys of THESIS 4.1 ([`read`]), or from a name of the
//! original collection ([`by_name`]). Every key is declared once, in [`parameter`]; reading, error
//! messages and the JSON schema ([`schema()`]) all come from there.
//!
//! What is **not** here: searching itself, networking, games.

mod agent;
mod explain;
mod file;
mod name;
pub mod parameter;
mod schema;

pub use agent::Agent;
pub use explain::explain;
pub use file::{Problem, read, write};
pub use name::{COLLECTION, by_name};
pub use schema::schema;
