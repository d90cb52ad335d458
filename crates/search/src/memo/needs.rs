//! What a future reads of the state it begins with, found backwards: what is needed after a stretch of the run, and what
//! the run did, say what is needed before it.

use rustc_hash::FxHashSet;
use slowpath_machine::{Entry, Place, Recorded, State};
use slowpath_program::{Effect, Program};

use super::touched::Touched;

/// Places whose contents matter.
pub type Needs = FxHashSet<Place>;

/// Goes back over what happened: `needs` is what matters at its end, and becomes what matters at its beginning. False where
/// that cannot be said.
pub fn backwards(
    program: &Program,
    state: &State<Recorded>,
    touched: &mut Touched,
    entries: &[Entry],
    needs: &mut Needs,
) -> bool {
    // What the current instruction read, and whether something it wrote is needed: its entries come before it, backwards.
    let (mut read, mut wanted) = (Vec::new(), false);
    for entry in entries.iter().rev() {
        match *entry {
            Entry::Read { addr, len } => read.push((addr, len)),
            Entry::Wrote { addr, len } => {
                for addr in addr..addr.saturating_add(len) {
                    wanted |= needs.remove(&Place::Byte(addr));
                }
            }
            Entry::MayHaveWritten { addr, len } => {
                wanted |= (addr..addr.saturating_add(len)).any(|addr| needs.contains(&Place::Byte(addr)));
            }
            Entry::Copied { to, from, len } => {
                let moved: Vec<u32> = (0..len).filter(|i| needs.remove(&Place::Byte(to + i))).collect();
                for i in moved {
                    need_byte(touched, needs, from + i);
                }
            }
            Entry::Passed { from, to } => needs.extend((from..to).map(Place::Register)),
            Entry::Cleared { from, to } => {
                for register in from..to {
                    needs.remove(&Place::Register(register));
                }
            }
            Entry::Step { func, pc, base } => {
                let body = program.funcs.get(func.index()).and_then(|f| f.body.as_ref());
                let Some(instruction) = body.and_then(|body| body.code.get(pc as usize)) else { return false };
                let register = |slot: u32| Place::Register(base + slot);
                match instruction.effect() {
                    Effect::Computes { d, from } => {
                        if needs.remove(&register(d)) {
                            needs.extend(from.into_iter().flatten().map(register));
                        }
                    }
                    Effect::Loads { d, addr } => {
                        if needs.remove(&register(d)) {
                            for (addr, len) in read.drain(..) {
                                (addr..addr.saturating_add(len)).for_each(|addr| need_byte(touched, needs, addr));
                            }
                        }
                        needs.insert(register(addr));
                    }
                    Effect::Stores { addr, value } => {
                        needs.insert(register(addr));
                        if wanted {
                            needs.insert(register(value));
                        }
                    }
                    Effect::ReadsGlobal { d, global } => {
                        if needs.remove(&register(d)) {
                            needs.insert(state.global_place(global));
                        }
                    }
                    Effect::WritesGlobal { a, global } => {
                        if needs.remove(&state.global_place(global)) {
                            needs.insert(register(a));
                        }
                    }
                    Effect::Decides { on, d } => {
                        if let Some(d) = d {
                            needs.remove(&register(d));
                        }
                        needs.extend(on.into_iter().flatten().map(register));
                    }
                    Effect::CopiesMemory { at } => needs.extend((at..at + 3).map(register)),
                    Effect::FillsMemory { at } => {
                        needs.extend([at, at + 2].map(register));
                        if wanted {
                            needs.insert(register(at + 1));
                        }
                    }
                    Effect::DecidesOnRange { at, count } => needs.extend((at..at + count).map(register)),
                    Effect::Opaque => return false,
                }
                // What is left was read by the host, to decide.
                if !matches!(instruction.effect(), Effect::Loads { .. }) {
                    for (addr, len) in read.drain(..) {
                        (addr..addr.saturating_add(len)).for_each(|addr| need_byte(touched, needs, addr));
                    }
                }
                (wanted, read) = (false, Vec::new());
            }
        }
    }
    true
}

fn need_byte(touched: &mut Touched, needs: &mut Needs, addr: u32) {
    if touched.may_change(addr) {
        needs.insert(Place::Byte(addr));
    }
}
