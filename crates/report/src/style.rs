//! The little colour there is.

/// Whether text may be coloured: only on a terminal whose user does not mind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    pub colour: bool,
    /// How wide the terminal is; none where text goes elsewhere.
    pub columns: Option<usize>,
    /// Every row of every table, however many.
    pub all: bool,
}

impl Style {
    /// For headings.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// For what must not be overlooked.
    pub fn red(self, text: &str) -> String {
        self.wrap("31", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
