//! What is made of the records of an experiment.
//!
//! [`ExperimentReport`] is everything that is told, as plain data, derived from an
//! [`Archive`](crate::experiment::Archive): a [`Cell`] for every game, pair and limit, averages over games
//! in the form of the papers, ratings, speeds, published figures beside ours, and what a reader must know
//! before he believes any of it. [`write()`] puts it into the directory: a table with one row per game as
//! CSV and Parquet, one with a row per result, and one page that needs nothing but itself. Results of video games
//! are a [`VideoReport`] in it.

mod average;
mod cell;
mod csv;
mod experiment_report;
mod html;
mod notice;
mod output;
mod parquet;
mod published;
mod rating;
mod replay;
mod resolution;
mod rows;
mod speed;
mod summary_table;
mod table;
mod thrift;
mod video;

pub use average::Average;
pub use cell::{Cell, Faults, Standing, Work};
pub use experiment_report::{ExperimentReport, Sound};
pub use notice::{Notice, Severity};
pub use output::{Written, write};
pub use published::{Comparison, FAR, Measure};
pub use rating::{Estimate, Pairing, Rating, RatingList, estimate};
pub use resolution::{half_width, words as size_words};
pub use speed::Speed;
pub use table::{Column, Table, Values};
pub use video::{VideoComparison, VideoMeasure, VideoReport};
