//! How an engine is described on the command line and in records.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::arena::limits::MoveLimits;

/// The verbs an engine understands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verbs {
    /// `uci`, `ucinewgame`, `go wtime ...`.
    #[default]
    Uci,
    /// `ugi`, `uginewgame`, `go p1time ...`.
    Ugi,
}

/// An engine and what it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineConfig {
    /// Its name in tables and records.
    pub name: String,
    /// The program: a path, or a name that is looked up in `PATH`.
    pub command: PathBuf,
    /// The program's arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it is started; `None`: where the runner was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Options to set, in this order; the name's case does not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Its limits.
    pub limits: MoveLimits,
    /// The verbs it understands.
    #[serde(default)]
    pub verbs: Verbs,
    /// Checksum of the program file, so that a stopped match is not continued with another program;
    /// `None` if it was not found by its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crc32: Option<u32>,
}

/// Why a text describes no engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0}; an engine is written as cmd=PROGRAM[,name=NAME][,arg=ARGUMENT]...[,dir=FOLDER]\
     [,option.NAME=VALUE]...[,tc=10+0.1][,movetime=MS][,nodes=N][,depth=N][,proto=uci|ugi], \
     with '\\,' for a comma in a value"
)]
pub struct ParseEngineError(String);

impl FromStr for EngineConfig {
    type Err = ParseEngineError;

    fn from_str(text: &str) -> Result<EngineConfig, ParseEngineError> {
        let mut engine = EngineConfig::default();
        for part in split_at_commas(text) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(ParseEngineError(format!("'{part}' has no '='")));
            };
            engine.set(key, value)?;
        }
        if engine.command.as_os_str().is_empty() {
            return Err(ParseEngineError(format!("'{text}' has no cmd=")));
        }
        if engine.name.is_empty() {
            let stem = engine
                .command
                .file_stem()
                .unwrap_or(engine.command.as_os_str());
            engine.name = stem.to_string_lossy().into_owned();
        }
        Ok(engine)
    }
}

impl EngineConfig {
    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseEngineError> {
        let wrong = |why: String| ParseEngineError(why);
        let number = || match value.parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(wrong(format!("{key}='{value}' is not a number from 1"))),
        };
        match key {
            "name" if is_printable(value) => self.name = value.to_owned(),
            "name" => return Err(wrong(format!("'{value}' is no name"))),
            "cmd" => self.command = value.into(),
            "arg" => self.args.push(value.to_owned()),
            "dir" => self.dir = Some(value.into()),
            "tc" => {
                self.limits.tc = Some(value.parse().map_err(|e| wrong(format!("{e}")))?);
            }
            "movetime" => self.limits.movetime = Some(number()?),
            "nodes" => self.limits.nodes = Some(number()?),
            "depth" => self.limits.depth = u32::try_from(number()?).ok(),
            "proto" => {
                self.verbs = match value {
                    "uci" => Verbs::Uci,
                    "ugi" => Verbs::Ugi,
                    _ => return Err(wrong(format!("no protocol is called '{value}'"))),
                }
            }
            _ => match key.strip_prefix("option.") {
                Some(name) if is_printable(name) && !value.contains(char::is_control) => {
                    self.set_option(name, value);
                }
                _ => return Err(wrong(format!("'{key}' is not known"))),
            },
        }
        Ok(())
    }

    /// Sets an option; a value given before for the same name is replaced.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let name = name.trim();
        match self.option_mut(name) {
            Some(old) => value.clone_into(old),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Sets an option unless it is set.
    pub fn set_default_option(&mut self, name: &str, value: &str) {
        if self.option_mut(name.trim()).is_none() {
            self.set_option(name, value);
        }
    }

    fn option_mut(&mut self, name: &str) -> Option<&mut String> {
        let mut options = self.options.iter_mut();
        options
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// Takes the limits that are missing from `common`, if the engine has none of its own, and the
    /// checksum from the program file.
    pub fn complete(&mut self, common: MoveLimits) {
        if !self.limits.is_some() {
            self.limits = common;
        }
        self.crc32 = self.checksum();
    }

    /// Checksum of the program file as it is now; `None` if it is not found by its path.
    pub fn checksum(&self) -> Option<u32> {
        std::fs::read(self.program())
            .ok()
            .map(|bytes| crc32fast::hash(&bytes))
    }

    /// The program as it is started: a path does not depend on `dir`.
    pub fn program(&self) -> PathBuf {
        let is_path = self.command.components().count() > 1 || self.command.is_absolute();
        let relative: &Path = &self.command;
        match is_path || relative.starts_with(".") {
            true => std::path::absolute(relative).unwrap_or_else(|_| relative.to_owned()),
            false => relative.to_owned(),
        }
    }
}

/// Names go into tables and quoted tags.
fn is_printable(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(|c: char| c.is_control() || c == '"' || c == '\\')
}

fn split_at_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&',') => {
                chars.next();
                if let Some(part) = parts.last_mut() {
                    part.push(',');
                }
            }
            ',' => parts.push(String::new()),
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                }
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_read_from_its_text() {
        let text =
            r"name=A b,cmd=./x,arg=-q,arg=1\,2,dir=/tmp,option.Move Overhead=5,tc=10+0.1,proto=ugi";
        let engine: EngineConfig = text.parse().expect("an engine");
        assert_eq!((engine.name.as_str(), engine.verbs), ("A b", Verbs::Ugi));
        assert_eq!(engine.args, ["-q", "1,2"]);
        assert_eq!(engine.options, [("Move Overhead".into(), "5".into())]);
        assert_eq!(engine.limits.to_string(), "10+0.1");
        assert!(engine.program().is_absolute());
        let plain: EngineConfig = "cmd=engine.py".parse().expect("an engine");
        assert_eq!(plain.name, "engine");
        assert_eq!(plain.program(), Path::new("engine.py"), "looked up in PATH");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, why) in [
            ("name=A", "no cmd="),
            ("cmd=x,nodez=5", "'nodez' is not known"),
            ("cmd=x,nodes=0", "nodes='0'"),
            ("cmd=x,nodes=-3", "nodes='-3'"),
            ("cmd=x,tc=x", "'x' is no time control"),
            ("cmd=x,proto=xboard", "'xboard'"),
            ("cmd=x,name=a\"b", "is no name"),
            ("cmd", "'cmd' has no '='"),
        ] {
            let error = text.parse::<EngineConfig>().map_err(|e| e.to_string());
            assert!(
                error.as_ref().is_err_and(|e| e.contains(why)),
                "{text}: {error:?}"
            );
        }
    }

    #[test]
    fn a_later_option_replaces_an_earlier_one_whatever_the_case() {
        let mut engine = EngineConfig::default();
        engine.set_option("Hash", "1");
        engine.set_option("hash", "2");
        engine.set_default_option("HASH", "3");
        assert_eq!(engine.options, [("Hash".into(), "2".into())]);
    }
}
