//! Arithmetic over n: the lengths, values and bounds of a signature.

use std::fmt;

use super::CallError;

/// An expression such as `2*n + 1`. It has at most `MOST_NODES` nodes, so walking it recursively is safe.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr(pub(super) Node);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    Int(u64),
    Size,
    Neg(Box<Node>),
    Bin(Op, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
}

/// The parser refuses longer expressions.
pub(super) const MOST_NODES: usize = 200;

impl Expr {
    /// The expression `n`.
    pub fn size() -> Expr {
        Expr(Node::Size)
    }

    /// The expression `n - 1`.
    pub fn size_less_one() -> Expr {
        Expr(Node::Bin(Op::Sub, Box::new(Node::Size), Box::new(Node::Int(1))))
    }

    /// The expression `n/2`.
    pub fn half_size() -> Expr {
        Expr(Node::Bin(Op::Div, Box::new(Node::Size), Box::new(Node::Int(2))))
    }

    /// The expression `factor*n + more`.
    pub fn times_size_plus(factor: u64, more: u64) -> Expr {
        let product = Node::Bin(Op::Mul, Box::new(Node::Int(factor)), Box::new(Node::Size));
        match more {
            0 => Expr(product),
            more => Expr(Node::Bin(Op::Add, Box::new(product), Box::new(Node::Int(more)))),
        }
    }

    /// A plain number.
    pub fn int(value: u64) -> Expr {
        Expr(Node::Int(value))
    }

    /// The product.
    pub fn times(&self, other: &Expr) -> Expr {
        Expr(Node::Bin(Op::Mul, Box::new(self.0.clone()), Box::new(other.0.clone())))
    }

    /// Its value for one n. Division rounds towards zero, as in C and Rust.
    pub fn eval(&self, n: i64) -> Result<i128, CallError> {
        self.0.eval(n).map_err(|problem| {
            let expr = self.to_string();
            match problem {
                Problem::DivisionByZero => CallError::DivisionByZero { expr, n },
                Problem::Overflow => CallError::Overflow { expr, n },
                Problem::NegativeExponent => CallError::NegativeExponent { expr, n },
            }
        })
    }

    /// As an expression of C or Rust over a 64-bit `n`: numbers end in `suffix`, powers are calls of `power`. None where a number
    /// is too large for it.
    pub fn source(&self, suffix: &str, power: &str) -> Option<String> {
        self.0.source(suffix, power)
    }
}

enum Problem {
    DivisionByZero,
    Overflow,
    NegativeExponent,
}

impl Node {
    fn eval(&self, n: i64) -> Result<i128, Problem> {
        match self {
            Node::Int(value) => Ok(i128::from(*value)),
            Node::Size => Ok(i128::from(n)),
            Node::Neg(a) => a.eval(n)?.checked_neg().ok_or(Problem::Overflow),
            Node::Bin(op, a, b) => op.eval(a.eval(n)?, b.eval(n)?),
        }
    }

    fn source(&self, suffix: &str, power: &str) -> Option<String> {
        Some(match self {
            Node::Int(value) => format!("{}{suffix}", i64::try_from(*value).ok()?),
            Node::Size => "n".to_owned(),
            Node::Neg(a) => format!("(-{})", a.source(suffix, power)?),
            Node::Bin(op, a, b) => {
                let (a, b) = (a.source(suffix, power)?, b.source(suffix, power)?);
                let symbol = match op {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                    Op::Div => "/",
                    Op::Rem => "%",
                    Op::Pow => return Some(format!("{power}({a}, {b})")),
                };
                format!("({a} {symbol} {b})")
            }
        })
    }

    /// How tightly the outermost operator binds.
    fn level(&self) -> u8 {
        match self {
            Node::Bin(Op::Add | Op::Sub, ..) => 1,
            Node::Bin(Op::Mul | Op::Div | Op::Rem, ..) => 2,
            Node::Neg(_) => 3,
            Node::Bin(Op::Pow, ..) => 4,
            Node::Int(_) | Node::Size => 5,
        }
    }

    /// Prints it so that it stands as an operand where at least `level` is needed.
    fn print(&self, f: &mut fmt::Formatter<'_>, level: u8) -> fmt::Result {
        if self.level() < level {
            f.write_str("(")?;
            self.print(f, 0)?;
            return f.write_str(")");
        }
        match self {
            Node::Int(value) => write!(f, "{value}"),
            Node::Size => f.write_str("n"),
            Node::Neg(a) => {
                f.write_str("-")?;
                a.print(f, 3)
            }
            Node::Bin(op, a, b) => {
                let (left, symbol, right) = match op {
                    Op::Add => (1, " + ", 2),
                    Op::Sub => (1, " - ", 2),
                    Op::Mul => (2, "*", 3),
                    Op::Div => (2, "/", 3),
                    Op::Rem => (2, " % ", 3),
                    Op::Pow => (5, "^", 3),
                };
                a.print(f, left)?;
                f.write_str(symbol)?;
                b.print(f, right)
            }
        }
    }
}

impl Op {
    fn eval(self, a: i128, b: i128) -> Result<i128, Problem> {
        let value = match self {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Div | Op::Rem if b == 0 => return Err(Problem::DivisionByZero),
            Op::Div => a.checked_div(b),
            Op::Rem => a.checked_rem(b),
            Op::Pow if b < 0 => return Err(Problem::NegativeExponent),
            Op::Pow => power(a, b),
        };
        value.ok_or(Problem::Overflow)
    }
}

fn power(a: i128, b: i128) -> Option<i128> {
    match a {
        0 | 1 => Some(if b == 0 { 1 } else { a }),
        -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => a.checked_pow(u32::try_from(b).ok()?),
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.print(f, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CallSpec, ParamKind};

    #[test]
    fn expressions_are_written_for_compilers() {
        let source = |text: &str| {
            let spec = CallSpec::parse(&format!("f({text})")).unwrap();
            let ParamKind::Value(expr) = &spec.params[0].kind else { panic!("{text} is a number") };
            expr.source("LL", "power")
        };
        assert_eq!(source("2*n + 1").as_deref(), Some("((2LL * n) + 1LL)"));
        assert_eq!(source("-n^2 % 7").as_deref(), Some("((-power(n, 2LL)) % 7LL)"));
        assert_eq!(source("18446744073709551615"), None);
    }
}
