//! Where every path of a size begins: its inputs unknown, those bytes as words that the program reads so.

use slowpath_machine::{Mode, SharedWords};

use crate::driver::Driver;
use crate::node::Node;
use crate::target::SearchError;
use crate::words;

impl Driver<'_> {
    /// The start of every path at size `n`.
    pub fn root(&mut self, n: i64) -> Result<Node, SearchError> {
        self.root_in(n)
    }

    /// The start of every path at size `n`, in a mode of its own.
    pub(crate) fn root_in<M: Mode>(&mut self, n: i64) -> Result<Node<M>, SearchError> {
        let words = if self.only_bytes { SharedWords::default() } else { self.words(n) };
        self.root_with(n, &words)
    }

    /// The words that bytes of the inputs make up at size `n`.
    pub(crate) fn words(&self, n: i64) -> SharedWords {
        self.target.words.at(n, || words::find(self.target, n, &self.budget).unwrap_or_default())
    }
}
