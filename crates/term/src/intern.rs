//! Making a term: the one of its shape, if there is one already, or else a new one with what is known about it.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashTable;

use crate::arena::Terms;
use crate::facts::Facts;
use crate::ids::TermId;
use crate::input_sets::InputSets;
use crate::node::Node;

/// A hash of the shape of a node: 25 bits for the place in the table, 7 to tell neighbours apart.
///
/// A loop that compares one input with one after the other makes terms whose other operand goes up or down by one. Eight such
/// neighbours get one place: they are made one after the other, and share a cache line.
#[inline]
fn hash(node: &Node) -> u32 {
    let both = |a: TermId, b: TermId| {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let near = (low.index() as u64 & 7) << 1 | u64::from(a < b);
        ((high.index() as u64) << 32 | low.index() as u64 >> 3, near)
    };
    let one = |a: TermId| (a.index() as u64, 0);
    let (kind, (place, near), rest) = match *node {
        Node::Const { width, bits } => (u64::from(width), (bits, 0), 0),
        Node::Var { input, width } => (1 << 8 | u64::from(width), (u64::from(input.0), 0), 0),
        Node::Un { op, width, a } => (2 << 8 | u64::from(width), one(a), op as u64),
        Node::Bin { op, width, a, b } => (3 << 8 | u64::from(width), both(a, b), op as u64),
        Node::Cmp { op, a, b } => (4 << 8, both(a, b), op as u64),
        Node::Conv { op, width, a } => (5 << 8 | u64::from(width), one(a), op as u64),
        Node::Extract { width, lo, a } => (6 << 8 | u64::from(width), one(a), u64::from(lo)),
        Node::Concat { a, b } => (7 << 8, both(a, b), 0),
        Node::Ite { cond, then, els, site } => (8 << 8, both(then, els), (cond.index() as u64) << 32 | u64::from(site)),
    };
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (place ^ (kind << 48)).wrapping_mul(ODD);
    let mixed = (mixed ^ mixed >> 32 ^ rest.wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(ODD);
    let tag = (mixed >> 57) ^ near.wrapping_mul(11);
    (mixed >> 32) as u32 & !127 | (tag & 127) as u32
}

/// The hash as the table wants it: the place in the low bits, the tag in the seven highest.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7 | u64::from(hash) << 57
}

impl Terms {
    /// An arena holding only the two booleans.
    pub fn new() -> Terms {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut terms = Terms {
            nodes: Vec::new(),
            kinds: Vec::new(),
            facts: Vec::new(),
            inputs: InputSets::default(),
            scratch: RefCell::default(),
            table: HashTable::new(),
            tt: TermId::from_index(0),
            ff: TermId::from_index(1),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
        };
        let made = (terms.intern(Node::Const { width: 1, bits: 1 }), terms.intern(Node::Const { width: 1, bits: 0 }));
        debug_assert_eq!(made, (terms.tt, terms.ff));
        terms
    }

    /// The term of exactly this shape, without rewriting.
    pub(crate) fn intern(&mut self, node: Node) -> TermId {
        let hash = hash(&node);
        let nodes = &self.nodes;
        if let Some(&(_, id)) = self.table.find(spread(hash), |e| e.0 == hash && nodes[e.1.index()] == node) {
            return id;
        }
        let id = TermId::from_index(self.nodes.len());
        let (kind, facts) = Facts::of(self, &node);
        self.inputs.add(&node);
        self.nodes.push(node);
        self.kinds.push(kind);
        self.facts.extend(facts);
        self.table.insert_unique(spread(hash), (hash, id), |e| spread(e.0));
        id
    }
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}
