//! The world of a size put around a program, and what is read of it.

use std::rc::Rc;

use slowpath_program::call::{CallError, ElemType, InputSpec};
use slowpath_program::world::{Content, World};
use slowpath_term::{InputId, Terms};

use crate::host::{Open, Stream, Values, element};
use crate::mode::Mode;
use crate::state::State;

/// Bytes of the world that are unknown, with their values.
pub(crate) type Unknown<V> = (InputSpec, Vec<V>);

impl<M: Mode> State<M> {
    /// Puts the world of size n around the program; gives the inputs that are unknown, with their values.
    pub(crate) fn furnish(
        &mut self,
        terms: &mut Terms,
        world: &World,
        n: i64,
    ) -> Result<Vec<Unknown<M::Value>>, CallError> {
        let mut made = Vec::new();
        let mut streams = Vec::new();
        let mut unknown = world.unknown(n)?.into_iter();
        for (_, content) in world.contents() {
            streams.push(match content {
                Content::Given(bytes) => Stream::Given(bytes.as_slice().into()),
                Content::Unknown(_) => {
                    let Some(bytes) = unknown.next() else { continue };
                    let first = self.host.next;
                    let (name, count, range) = (bytes.name, bytes.count, bytes.range);
                    let allowed = Values { range, ..Values::default() };
                    let values = self.new_input(terms, &name, ElemType::U8, false, count, allowed);
                    let spec = InputSpec {
                        name,
                        ty: ElemType::U8,
                        count,
                        scalar: false,
                        address: None,
                        row: count,
                        row_bytes: count,
                        range,
                        among: None,
                        is_utf8: false,
                        words: None,
                    };
                    made.push((spec, values));
                    Stream::Input { first, count }
                }
            });
        }
        let mut streams = streams.into_iter();
        let files = &mut Rc::make_mut(&mut self.host).files;
        if world.stdin.is_some() {
            files.open.extend(streams.next().map(|stream| (0, Open { stream, position: 0 })));
        }
        files.has_directory = world.has_directory();
        files.named = world.files.iter().map(|(name, _)| name.clone()).zip(&mut streams).collect();
        // The name of a program comes before its arguments; without any, there is no command line at all.
        if world.arguments.is_empty() {
            files.arguments = Vec::new();
        } else {
            files.arguments = [Stream::Given(b"program".as_slice().into())].into_iter().chain(streams).collect();
        }
        let variable = |(name, value): &(String, String)| Stream::Given(format!("{name}={value}").into_bytes().into());
        files.environment = world.environment.iter().map(variable).collect();
        Ok(made)
    }

    /// One byte of a stream.
    pub(super) fn byte(&self, terms: &mut Terms, stream: &Stream, at: u64) -> M::Value {
        match stream {
            Stream::Given(bytes) => M::value(bytes.get(at as usize).copied().map_or(0, u64::from)),
            Stream::Input { first, .. } => {
                let number = first + at as u32;
                match self.host.values.get(number as usize) {
                    Some(bits) => M::value(*bits),
                    None => {
                        let made = self.inputs().iter().find(|record| record.first == InputId(*first));
                        let term = match made {
                            Some(record) => element(terms, record, at as u32),
                            None => terms.var(InputId(number), 8),
                        };
                        M::from_term(terms, term)
                    }
                }
            }
        }
    }

    /// What the program wanted to read and is not there, in words.
    pub fn absent(&self) -> impl Iterator<Item = &str> {
        self.host.files.absent.iter().map(String::as_str)
    }
}
