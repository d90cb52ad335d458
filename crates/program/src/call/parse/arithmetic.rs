//! Arithmetic over n, by recursive descent.

use super::{Failure, Parser, TYPES, fail};
use crate::call::ElemType;
use crate::call::expr::{Expr, MOST_NODES, Node, Op};
use crate::call::lex::Token;

/// How deep brackets and signs may nest.
const DEEPEST: usize = 50;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr, Failure> {
        self.nodes = 0;
        self.sum().map(Expr)
    }

    /// Counts a node of the expression being read, so that none grows too large to be walked recursively.
    fn node(&mut self, node: Node) -> Result<Node, Failure> {
        self.nodes += 1;
        // One is kept free for the `- 1` of an exclusive bound.
        if self.nodes >= MOST_NODES {
            return fail(self.at(), "this expression is too long", "simplify it");
        }
        Ok(node)
    }

    fn sum(&mut self) -> Result<Node, Failure> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Token::Symbol("+") => Op::Add,
                Token::Symbol("-") => Op::Sub,
                _ => return Ok(left),
            };
            self.next += 1;
            let right = self.product()?;
            left = self.node(Node::Bin(op, Box::new(left), Box::new(right)))?;
        }
    }

    fn product(&mut self) -> Result<Node, Failure> {
        let mut left = self.unary()?;
        loop {
            let op = match self.peek() {
                Token::Symbol("*") => Op::Mul,
                Token::Symbol("/") => Op::Div,
                Token::Symbol("%") => Op::Rem,
                _ => return Ok(left),
            };
            self.next += 1;
            let right = self.unary()?;
            left = self.node(Node::Bin(op, Box::new(left), Box::new(right)))?;
        }
    }

    /// Every way into deeper nesting passes here.
    fn unary(&mut self) -> Result<Node, Failure> {
        if self.depth >= DEEPEST {
            return fail(self.at(), "this is nested too deeply", "simplify the expression");
        }
        self.depth += 1;
        let node = if self.take_if("-") {
            let operand = self.unary()?;
            self.node(Node::Neg(Box::new(operand)))
        } else {
            self.power()
        };
        self.depth -= 1;
        node
    }

    fn power(&mut self) -> Result<Node, Failure> {
        let base = self.atom()?;
        if !self.take_if("^") {
            return Ok(base);
        }
        let exponent = self.unary()?;
        self.node(Node::Bin(Op::Pow, Box::new(base), Box::new(exponent)))
    }

    fn atom(&mut self) -> Result<Node, Failure> {
        let at = self.at();
        match self.take() {
            Token::Int(value) => self.node(Node::Int(value)),
            Token::Word(word) if word == "n" => self.node(Node::Size),
            Token::Symbol("(") => {
                let inner = self.sum()?;
                self.expect(")", "close the bracket")?;
                Ok(inner)
            }
            Token::Word(word) if word.parse::<ElemType>().is_ok() => fail(
                at,
                format!("the type `{word}` cannot stand in arithmetic"),
                "a type stands alone, as in u8 or u8[n]",
            ),
            Token::Word(word) => {
                fail(at, format!("`{word}` is not known here"), "the only name in arithmetic is n, the size")
            }
            other => fail(
                at,
                format!("expected a type or arithmetic over n, found {}", other.describe()),
                format!("write something like i32[n], u8 or 2*n + 1; {TYPES}"),
            ),
        }
    }
}
