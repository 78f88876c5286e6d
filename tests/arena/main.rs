//! The match runner with real child processes, most of which misbehave.

mod accuracy;
mod cluster;
#[path = "../common/dask.rs"]
mod dask;
mod faults;
mod matches;
mod resume;
mod script;
mod support;
