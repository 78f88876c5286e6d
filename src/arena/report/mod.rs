//! How a match is shown to people.

mod html;
mod svg;
mod text;

pub use html::{ReportError, write_html};
pub use text::{live_line, standing_text};
