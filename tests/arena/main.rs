//! The match runner with real child processes, most of which misbehave.

mod faults;
mod matches;
mod resume;
mod support;
