//! The match runner with real child processes, most of which misbehave.

mod accuracy;
mod cluster;
mod faults;
mod matches;
mod resume;
mod script;
mod support;
