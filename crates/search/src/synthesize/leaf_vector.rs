//! Leaf vectors: a condition as a template, which many conditions of one point share, and the numbers at its leaves.
//!
//! Where values are updated in loops, conditions grow with every round. *Dynamic single assignment* keeps them small: each value
//! computed is a definition with a number of its own, and what is made of it refers to that number. Terms are hash-consed, so that a
//! value computed is a term already, and its number is the order in which it was made.

use rustc_hash::FxHashMap;
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Node, TermId, Terms, UnOp};

use super::trace::Trace;

/// Larger templates are none that a point could share.
const MOST_PIECES: usize = 48;

/// One operator or leaf of a template. Leaves take one number each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    /// An element of the so-manieth input; the number is its index.
    Input {
        record: u32,
        width: u8,
    },
    Const {
        width: u8,
    },
    /// A definition of a class; the number is its own.
    Ref {
        class: u32,
    },
    Un(UnOp),
    Bin(BinOp),
    Cmp(CmpOp),
    Conv {
        op: ConvOp,
        width: u8,
    },
    Extract {
        lo: u8,
        width: u8,
    },
    Concat,
    Ite {
        site: u32,
    },
}

/// A term without its leaves, operands before operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Template(pub Vec<Piece>);

/// The class that every reference has while classes are being made.
const ANY: u32 = u32::MAX;

/// Classes of definitions, the same for traces of all sizes: what is computed alike, whatever from.
#[derive(Default)]
pub(super) struct Classes(FxHashMap<Template, u32>);

impl Classes {
    fn of(&mut self, template: Template) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(template).or_insert(next)
    }
}

/// How the terms of one trace are read.
pub(super) struct Reader<'t> {
    trace: &'t Trace,
    /// The class and number of every definition; empty where terms are read whole.
    definitions: FxHashMap<TermId, (u32, i64)>,
    /// All of them, in the order they were made.
    order: Vec<TermId>,
}

/// A term as read.
pub(super) struct LeafVector {
    pub template: Template,
    pub leaves: Vec<i64>,
}

impl<'t> Reader<'t> {
    /// Reads terms whole.
    pub fn whole(trace: &'t Trace) -> Reader<'t> {
        Reader { trace, definitions: FxHashMap::default(), order: Vec::new() }
    }

    /// Reads terms in dynamic single assignment.
    pub fn single_assignment(trace: &'t Trace, classes: &mut Classes) -> Option<Reader<'t>> {
        let order = definitions_of(trace);
        let mut reader = Reader { trace, definitions: FxHashMap::default(), order: Vec::new() };
        // Classes are made without regard to what is referred to: a sum of a sum is in the class of sums.
        reader.definitions = order.iter().map(|t| (*t, (ANY, 0))).collect();
        let mut numbers: FxHashMap<u32, i64> = FxHashMap::default();
        let mut found = FxHashMap::default();
        for t in &order {
            let class = classes.of(reader.definition(*t)?.template);
            let number = numbers.entry(class).or_insert(0);
            found.insert(*t, (class, *number));
            *number += 1;
        }
        reader.definitions = found;
        reader.order = order;
        Some(reader)
    }

    /// Every definition with its class and number.
    pub fn definitions(&self) -> impl Iterator<Item = (TermId, u32, i64)> + '_ {
        self.order.iter().filter_map(|t| self.definitions.get(t).map(|(class, number)| (*t, *class, *number)))
    }

    /// The leaf vector of a condition.
    pub fn condition(&self, t: TermId) -> Option<LeafVector> {
        self.read(t, None)
    }

    /// The leaf vector of what a definition is computed from.
    pub fn definition(&self, t: TermId) -> Option<LeafVector> {
        self.read(t, Some(t))
    }

    fn read(&self, root: TermId, inside: Option<TermId>) -> Option<LeafVector> {
        let terms = &self.trace.terms;
        let mut vector = LeafVector { template: Template(Vec::new()), leaves: Vec::new() };
        let mut stack = vec![(root, false)];
        while let Some((t, operands_done)) = stack.pop() {
            if vector.template.0.len() + stack.len() > MOST_PIECES {
                return None;
            }
            let piece = if let Some((class, number)) = self.definitions.get(&t).filter(|_| Some(t) != inside) {
                vector.leaves.push(*number);
                Piece::Ref { class: *class }
            } else {
                match terms.node(t) {
                    Node::Const { width, bits } => {
                        vector.leaves.push(signed(width, bits));
                        Piece::Const { width }
                    }
                    Node::Var { input, width } => {
                        let (record, index) = self.place(input)?;
                        vector.leaves.push(index);
                        Piece::Input { record, width }
                    }
                    node if operands_done => operator(node)?,
                    node => {
                        stack.push((t, true));
                        let operands: Vec<TermId> = node.children().collect();
                        stack.extend(operands.into_iter().rev().map(|operand| (operand, false)));
                        continue;
                    }
                }
            };
            vector.template.0.push(piece);
        }
        Some(vector)
    }

    fn place(&self, input: InputId) -> Option<(u32, i64)> {
        self.trace.place(input)
    }
}

/// Constants are read signed: -1 is nearer to 0 and 1 than the largest number is.
fn signed(width: u8, bits: u64) -> i64 {
    if !(2..64).contains(&width) {
        return bits as i64;
    }
    let shift = 64 - u32::from(width);
    ((bits << shift) as i64) >> shift
}

fn operator(node: Node) -> Option<Piece> {
    Some(match node {
        Node::Const { .. } | Node::Var { .. } => return None,
        Node::Un { op, .. } => Piece::Un(op),
        Node::Bin { op, .. } => Piece::Bin(op),
        Node::Cmp { op, .. } => Piece::Cmp(op),
        Node::Conv { op, width, .. } => Piece::Conv { op, width },
        Node::Extract { width, lo, .. } => Piece::Extract { lo, width },
        Node::Concat { .. } => Piece::Concat,
        Node::Ite { site, .. } => Piece::Ite { site },
    })
}

/// The values computed on the way to the conditions: terms wider than a truth value that are more than an input in another width.
fn definitions_of(trace: &Trace) -> Vec<TermId> {
    let terms = &trace.terms;
    let mut seen = vec![false; terms.len()];
    let mut stack: Vec<TermId> = trace.conditions.iter().map(|condition| condition.term).collect();
    let mut found = Vec::new();
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut seen[t.index()], true) {
            continue;
        }
        if terms.width(t) > 1 && !is_plain(terms, t) {
            found.push(t);
        }
        stack.extend(terms.node(t).children());
    }
    found.sort_unstable();
    found
}

fn is_plain(terms: &Terms, mut t: TermId) -> bool {
    loop {
        match terms.node(t) {
            Node::Const { .. } | Node::Var { .. } => return true,
            Node::Un { a, .. } | Node::Conv { a, .. } | Node::Extract { a, .. } => t = a,
            _ => return false,
        }
    }
}

impl Template {
    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.0.iter().filter(|p| matches!(p, Piece::Input { .. } | Piece::Const { .. } | Piece::Ref { .. })).count()
    }

    /// The term with these leaves. `None`: the numbers are none that the leaves can have.
    pub fn build(
        &self,
        terms: &mut Terms,
        leaves: &[i64],
        mut input: impl FnMut(&mut Terms, u32, i64, u8) -> Option<TermId>,
        mut reference: impl FnMut(u32, i64) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut leaves = leaves.iter();
        let mut stack: Vec<TermId> = Vec::with_capacity(self.0.len());
        for piece in &self.0 {
            let built = match *piece {
                Piece::Input { record, width } => input(terms, record, *leaves.next()?, width)?,
                Piece::Const { width } => terms.constant(width, *leaves.next()? as u64),
                Piece::Ref { class } => reference(class, *leaves.next()?)?,
                Piece::Un(op) => {
                    let a = stack.pop()?;
                    terms.un(op, a)
                }
                Piece::Bin(op) => {
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    same_width(terms, a, b)?;
                    terms.bin(op, a, b)
                }
                Piece::Cmp(op) => {
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    same_width(terms, a, b)?;
                    terms.cmp(op, a, b)
                }
                Piece::Conv { op, width } => {
                    let a = stack.pop()?;
                    terms.conv(op, width, a)
                }
                Piece::Extract { lo, width } => {
                    let a = stack.pop()?;
                    (u32::from(lo) + u32::from(width) <= u32::from(terms.width(a))).then_some(())?;
                    terms.extract(a, lo, width)
                }
                Piece::Concat => {
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    terms.concat(a, b)
                }
                Piece::Ite { site } => {
                    let (els, then, cond) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    same_width(terms, then, els)?;
                    terms.ite(cond, then, els, site)
                }
            };
            stack.push(built);
        }
        stack.pop()
    }
}

/// A reference may lead to a definition of the same class and another width.
fn same_width(terms: &Terms, a: TermId, b: TermId) -> Option<()> {
    (terms.width(a) == terms.width(b)).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesize::trace::{Condition, Point, Record};
    use slowpath_program::call::ElemType;

    /// a[0] + a[1] + … compared with a[i], for i from 1 on: conditions that grow.
    fn growing(n: u32) -> Trace {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..n).map(|i| terms.var(InputId(i), 32)).collect();
        let mut sum = vars[0];
        let mut conditions = Vec::new();
        for var in &vars[1..] {
            let term = terms.cmp(CmpOp::Slt, sum, *var);
            conditions.push(Condition { point: Point::Assumed, activation: 0, term });
            sum = terms.bin(BinOp::Add, sum, *var);
        }
        let record = Record { name: "a".into(), ty: ElemType::I32, scalar: false, first: 0, count: n };
        Trace { size: u64::from(n), cost: 0, records: vec![record], conditions, terms }
    }

    #[test]
    fn whole_terms_come_back_from_their_leaves() {
        let mut trace = growing(5);
        let reader = Reader::whole(&trace);
        let vectors: Vec<(TermId, LeafVector)> =
            trace.conditions.iter().map(|c| (c.term, reader.condition(c.term).expect("a small condition"))).collect();
        for (term, vector) in vectors {
            let built = vector.template.build(
                &mut trace.terms,
                &vector.leaves,
                |terms, _, index, width| Some(terms.var(InputId(index as u32), width)),
                |_, _| None,
            );
            assert_eq!(built, Some(term));
        }
    }

    #[test]
    fn in_single_assignment_conditions_do_not_grow() {
        let trace = growing(40);
        let last = trace.conditions.last().expect("a condition").term;
        assert!(Reader::whole(&trace).condition(last).is_none(), "too large");
        let mut classes = Classes::default();
        let reader = Reader::single_assignment(&trace, &mut classes).expect("small definitions");
        let vector = reader.condition(last).expect("a small condition");
        assert_eq!((vector.template.0.len(), vector.leaves), (3, vec![36, 39]));
        // The first sum is one of two inputs; all others are of a sum and an input.
        assert_eq!(reader.definitions().map(|(_, class, _)| class).max(), Some(1));
    }
}
