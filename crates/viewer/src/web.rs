//! The web page.

use crate::host::Host;
use crate::{App, State};

/// The viewer as it starts on a page, with the query of the page's address.
#[must_use]
pub fn app(query: &str, host: Box<dyn Host>) -> App {
    let mut state = State::default();
    let problems = state.read_query(query);
    let mut app = App::new(state, host);
    problems.into_iter().for_each(|problem| app.say(problem, true));
    app
}
