//! What a bucket is: the few values that a remainder, a mask or a shift leaves of many.

use slowpath_term::{BinOp, Node, TermId, Terms};

/// Values that a bucket may have.
const MOST_BUCKETS: u64 = 1 << 12;
/// Values from which on what a bucket is taken of counts as a hash.
const LEAST_HASHES: u64 = 1 << 11;

/// Whether a term is a bucket: few values, by an operation that keeps a part of many.
pub fn is_bucket(terms: &Terms, t: TermId) -> bool {
    let span = |t: TermId| {
        let (low, high) = terms.bounds(t);
        high - low
    };
    let of = match terms.node(t) {
        Node::Bin { op: BinOp::URem | BinOp::And | BinOp::LShr | BinOp::UDiv, a, b, .. } => {
            match (terms.as_const(a), terms.as_const(b)) {
                (None, Some(_)) => a,
                (Some(_), None) => b,
                _ => return false,
            }
        }
        Node::Extract { a, width, .. } if width > 1 => a,
        _ => return false,
    };
    span(t) < MOST_BUCKETS && span(of) >= LEAST_HASHES.max(span(t).saturating_mul(4))
}
