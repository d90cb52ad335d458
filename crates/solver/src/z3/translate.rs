//! Terms to Z3, each once. Booleans become Z3's booleans, wider terms its bit-vectors.

use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Model, Node, TermId, Terms, UnOp, ops};
use z3::ast::{BV, Bool};

use super::{bits, float};

/// A term in Z3.
#[derive(Clone, Debug)]
enum Image {
    Bool(Bool),
    Vector(BV),
}

impl Image {
    fn vector(&self) -> BV {
        match self {
            Image::Vector(v) => v.clone(),
            Image::Bool(b) => b.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1)),
        }
    }

    fn boolean(&self) -> Bool {
        match self {
            Image::Bool(b) => b.clone(),
            Image::Vector(v) => v.eq(1u64),
        }
    }
}

/// Translates terms of one arena, remembering what it translated.
#[derive(Default)]
pub(super) struct Translator {
    images: Vec<Option<Image>>,
    /// Inputs met so far, by index; one that has different widths on different paths has an image for each.
    inputs: Vec<Vec<(u8, Image)>>,
    stack: Vec<TermId>,
}

impl Translator {
    /// A condition in Z3.
    pub(super) fn condition(&mut self, terms: &Terms, t: TermId) -> Bool {
        self.image(terms, t).boolean()
    }

    fn image(&mut self, terms: &Terms, root: TermId) -> Image {
        if self.images.len() < terms.len() {
            self.images.resize(terms.len(), None);
        }
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if self.images[t.index()].is_some() {
                self.stack.pop();
                continue;
            }
            let waiting = self.stack.len();
            for child in terms.node(t).children() {
                if self.images[child.index()].is_none() {
                    self.stack.push(child);
                }
            }
            if self.stack.len() == waiting {
                let image = self.apply(terms, terms.node(t), t);
                self.images[t.index()] = Some(image);
                self.stack.pop();
            }
        }
        self.child(root).clone()
    }

    fn child(&self, t: TermId) -> &Image {
        self.images[t.index()].as_ref().expect("children are translated before their parent")
    }

    fn apply(&mut self, terms: &Terms, node: Node, t: TermId) -> Image {
        let vector = |t: TermId| self.child(t).vector();
        let boolean = |t: TermId| self.child(t).boolean();
        let width = terms.width(t);
        let image = match node {
            Node::Const { width: 1, bits } => Image::Bool(Bool::from_bool(bits == 1)),
            Node::Const { bits, .. } => Image::Vector(BV::from_u64(bits, u32::from(width))),
            Node::Var { input, .. } => self.input(input, width),
            Node::Un { op: UnOp::Not, width: 1, a } => Image::Bool(boolean(a).not()),
            Node::Un { op, a, .. } => Image::Vector(unary(op, &vector(a), width)),
            Node::Bin { op: BinOp::And, width: 1, a, b } => Image::Bool(Bool::and(&[boolean(a), boolean(b)])),
            Node::Bin { op: BinOp::Or, width: 1, a, b } => Image::Bool(Bool::or(&[boolean(a), boolean(b)])),
            Node::Bin { op: BinOp::Xor, width: 1, a, b } => Image::Bool(boolean(a).xor(boolean(b))),
            Node::Bin { op, a, b, .. } => Image::Vector(binary(op, &vector(a), &vector(b), width)),
            Node::Cmp { op: CmpOp::Eq, a, b } if terms.width(a) == 1 => Image::Bool(boolean(a).iff(boolean(b))),
            Node::Cmp { op, a, b } => Image::Bool(compare(op, &vector(a), &vector(b), terms.width(a))),
            Node::Conv { op, a, .. } => Image::Vector(convert(op, &vector(a), terms.width(a), width)),
            Node::Extract { lo, a, .. } => {
                Image::Vector(vector(a).extract(u32::from(lo) + u32::from(width) - 1, u32::from(lo)))
            }
            Node::Concat { a, b } => Image::Vector(vector(a).concat(vector(b))),
            Node::Ite { cond, then, els, .. } if width == 1 => {
                Image::Bool(boolean(cond).ite(&boolean(then), &boolean(els)))
            }
            Node::Ite { cond, then, els, .. } => Image::Vector(boolean(cond).ite(&vector(then), &vector(els))),
        };
        match image {
            Image::Vector(v) if width == 1 => Image::Bool(v.eq(1u64)),
            image => image,
        }
    }

    fn input(&mut self, input: InputId, width: u8) -> Image {
        if self.inputs.len() <= input.index() {
            self.inputs.resize(input.index() + 1, Vec::new());
        }
        let name = format!("x{}_{width}", input.0);
        let image = if width == 1 {
            Image::Bool(Bool::new_const(name))
        } else {
            Image::Vector(BV::new_const(name, u32::from(width)))
        };
        self.inputs[input.index()].push((width, image.clone()));
        image
    }

    /// The values Z3 found for these inputs; those it left open keep their value in `base`.
    pub(super) fn read(&self, found: &z3::Model, base: &Model, inputs: &[InputId]) -> Model {
        let images = inputs.iter().flat_map(|&input| {
            self.inputs.get(input.index()).into_iter().flatten().map(move |(width, image)| (input, *width, image))
        });
        let values = images.filter_map(|(input, width, image)| {
            let value = match image {
                Image::Bool(b) => u64::from(found.get_const_interp(b)?.as_bool()?),
                Image::Vector(v) => found.get_const_interp(v)?.as_u64()?,
            };
            Some((input, value & ops::mask(width)))
        });
        base.with_all(values)
    }
}

fn unary(op: UnOp, a: &BV, width: u8) -> BV {
    match op {
        UnOp::Not => a.bvnot(),
        UnOp::Clz | UnOp::Ctz | UnOp::Popcnt => bits::count(op, a, width),
        UnOp::FSqrt | UnOp::FCeil | UnOp::FFloor | UnOp::FTrunc | UnOp::FNearest => float::un(op, a, width),
    }
}

fn binary(op: BinOp, a: &BV, b: &BV, width: u8) -> BV {
    match op {
        BinOp::Add => a.bvadd(b),
        BinOp::Sub => a.bvsub(b),
        BinOp::Mul => a.bvmul(b),
        BinOp::UDiv => a.bvudiv(b),
        BinOp::SDiv => a.bvsdiv(b),
        BinOp::URem => a.bvurem(b),
        BinOp::SRem => a.bvsrem(b),
        BinOp::And => a.bvand(b),
        BinOp::Or => a.bvor(b),
        BinOp::Xor => a.bvxor(b),
        BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::RotL | BinOp::RotR => bits::shift(op, a, b, width),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FMin | BinOp::FMax => {
            float::bin(op, a, b, width)
        }
    }
}

fn compare(op: CmpOp, a: &BV, b: &BV, width: u8) -> Bool {
    match op {
        CmpOp::Eq => a.eq(b),
        CmpOp::Ult => a.bvult(b),
        CmpOp::Ule => a.bvule(b),
        CmpOp::Slt => a.bvslt(b),
        CmpOp::Sle => a.bvsle(b),
        CmpOp::FEq | CmpOp::FLt | CmpOp::FLe => float::cmp(op, a, b, width),
    }
}

fn convert(op: ConvOp, a: &BV, from: u8, to: u8) -> BV {
    match op {
        ConvOp::ZExt => a.zero_ext(u32::from(to - from)),
        ConvOp::SExt => a.sign_ext(u32::from(to - from)),
        ConvOp::Trunc => a.extract(u32::from(to) - 1, 0),
        _ => float::conv(op, a, from, to),
    }
}
