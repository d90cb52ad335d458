//! What a program finds around it: standard input, files, arguments, environment, and answers of functions that nobody provides.
//!
//! It belongs to the program, since it decides what the program does. Both engines read it, each in its own way.

use crate::call::{CallError, ElemType, Expr, MOST_ELEMENTS};
use crate::cost_table::CostTable;
use crate::val_type::ValType;

/// Everything around a program. By default there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// Functions that are answered without being there.
    pub imports: Vec<ImportStub>,
    /// None where nobody said what standard input is; it is then at its end.
    pub stdin: Option<Content>,
    /// Files that can be opened, by name.
    pub files: Vec<(String, Content)>,
    /// What comes after the program's name on its command line.
    pub arguments: Vec<Content>,
    pub environment: Vec<(String, String)>,
    /// What operators cost here.
    pub costs: CostTable,
}

/// Bytes, known or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// So many unknown bytes.
    Unknown(Expr),
    Given(Vec<u8>),
}

/// A stretch of unknown bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBytes {
    pub name: String,
    pub count: u32,
    /// Lowest and highest value of each byte, both included.
    pub range: Option<(i128, i128)>,
}

/// An imported function that nobody provides, and what happens where it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportStub {
    pub module: String,
    pub name: String,
    pub answer: Answer,
}

/// What a function that nobody provides gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The run ends.
    Trap,
    /// Each call gives another input, which is named after the function.
    Unknown,
    Integer(i64),
    /// The bits of an f64.
    Float(u64),
}

impl Answer {
    /// The bits of a given number as a result of type `ty`; references are null.
    pub fn bits(self, ty: ValType) -> u64 {
        let number = match self {
            Answer::Integer(value) => value as f64,
            Answer::Float(bits) => f64::from_bits(bits),
            Answer::Trap | Answer::Unknown => 0.0,
        };
        match (ty, self) {
            (ValType::I32, Answer::Integer(value)) => u64::from(value as u32),
            (ValType::I64, Answer::Integer(value)) => value as u64,
            (ValType::I32, _) => u64::from(number as i32 as u32),
            (ValType::I64, _) => number as i64 as u64,
            (ValType::F32, _) => u64::from((number as f32).to_bits()),
            (ValType::F64, _) => number.to_bits(),
            // Imports that take or give vectors are not answered.
            (ValType::FuncRef | ValType::ExternRef | ValType::V128Low | ValType::V128High, _) => 0,
        }
    }

    /// The type of the input that an unknown result of type `ty` is; none for references.
    pub fn input_type(ty: ValType) -> Option<ElemType> {
        match ty {
            ValType::I32 => Some(ElemType::I32),
            ValType::I64 => Some(ElemType::I64),
            ValType::F32 => Some(ElemType::F32),
            ValType::F64 => Some(ElemType::F64),
            ValType::FuncRef | ValType::ExternRef | ValType::V128Low | ValType::V128High => None,
        }
    }
}

impl Content {
    /// How many bytes there are at size n.
    pub fn length(&self, name: &str, n: i64) -> Result<u32, CallError> {
        let count = match self {
            Content::Given(bytes) => bytes.len() as i128,
            Content::Unknown(length) => length.eval(n)?,
        };
        if count < 0 {
            return Err(CallError::NegativeLength { name: name.to_owned(), count, n });
        }
        u32::try_from(count).ok().filter(|_| count <= MOST_ELEMENTS).ok_or(CallError::TooManyElements { count, n })
    }

    fn is_unknown(&self) -> bool {
        matches!(self, Content::Unknown(_))
    }
}

impl World {
    /// The stub of an import, by its place in the list.
    pub fn stub(&self, module: &str, name: &str) -> Option<(usize, &ImportStub)> {
        self.imports.iter().enumerate().find(|(_, stub)| stub.module == module && stub.name == name)
    }

    /// Everything with bytes, with a name for each: standard input, then files, then arguments.
    pub fn contents(&self) -> impl Iterator<Item = (String, &Content)> {
        let stdin = self.stdin.iter().map(|content| ("stdin".to_owned(), content));
        let files = self.files.iter().map(|(name, content)| (name.clone(), content));
        let arguments = self.arguments.iter().enumerate().map(|(i, content)| (format!("argument{}", i + 1), content));
        stdin.chain(files).chain(arguments)
    }

    /// Whether there is a directory to open files in: of a whole program, so that it can be said which file it looks for and does not find.
    pub fn has_directory(&self) -> bool {
        self.contents().next().is_some()
    }

    /// The unknown bytes at size n, in order.
    pub fn unknown(&self, n: i64) -> Result<Vec<UnknownBytes>, CallError> {
        let first_argument = usize::from(self.stdin.is_some()) + self.files.len();
        let unknown = self.contents().enumerate().filter(|(_, (_, content))| content.is_unknown());
        unknown
            .map(|(place, (name, content))| {
                let count = content.length(&name, n)?;
                // An argument ends at its first zero.
                let range = (place >= first_argument && count > 0).then_some((1, 255));
                Ok(UnknownBytes { name, count, range })
            })
            .collect()
    }

    /// Whether n makes any difference to it.
    pub fn depends_on_n(&self) -> bool {
        let at = |n| self.unknown(n).ok();
        [2, 3, 17].iter().any(|n| at(*n) != at(1))
    }

    /// Whether any of it is unknown.
    pub fn has_unknown(&self) -> bool {
        self.contents().any(|(_, content)| content.is_unknown())
            || self.imports.iter().any(|stub| stub.answer == Answer::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Content, World};
    use crate::call::Expr;
    use crate::val_type::ValType;

    #[test]
    fn unknown_bytes_have_names_and_lengths() {
        let world = World {
            stdin: Some(Content::Unknown(Expr::size())),
            arguments: vec![Content::Given(b"-v".to_vec()), Content::Unknown(Expr::int(3))],
            ..World::default()
        };
        let unknown = world.unknown(5).expect("lengths");
        let names: Vec<(&str, u32)> = unknown.iter().map(|bytes| (bytes.name.as_str(), bytes.count)).collect();
        assert_eq!(names, [("stdin", 5), ("argument2", 3)]);
        assert_eq!(unknown[1].range, Some((1, 255)));
        assert!(world.depends_on_n() && !World::default().depends_on_n());
    }

    #[test]
    fn a_number_is_given_in_the_type_that_is_asked_for() {
        assert_eq!(Answer::Integer(-1).bits(ValType::I32), 0xffff_ffff);
        assert_eq!(Answer::Integer(2).bits(ValType::F64), 2f64.to_bits());
        assert_eq!(Answer::Float(1.5f64.to_bits()).bits(ValType::F32), u64::from(1.5f32.to_bits()));
    }
}
