//! Structs in exported code. Their layout on the host is another, so that only the file that knows the program can make them, member by member and by
//! name; what they hold comes to it as plain arrays and numbers.

use slowpath_program::call::{ElemType, Expr, Link, Member, Param, ParamKind, StructSpec};

use super::Export;
use super::literal::{c_literal, c_type};
use super::passed::{Kind, Passed, leaf};

/// A struct that is an argument, as exported code makes it.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// What its contents come as, in order.
    pub passed: Vec<Passed>,
    /// Statements before and behind the call.
    pub before: String,
    pub after: String,
    pub argument: String,
}

/// What an argument of this struct type needs; None where exported code cannot make it. `first` is the number of the next parameter.
pub fn made(
    export: &Export,
    (spec, count): (&StructSpec, Option<&Expr>),
    position: usize,
    first: usize,
    inputs: &mut dyn FnMut() -> usize,
) -> Option<Made> {
    let mut maker = Maker { export, position, first, inputs, made: Made::default(), blocks: 0 };
    let argument = maker.structs(spec, count)?;
    Some(Made { argument, ..maker.made })
}

struct Maker<'a> {
    export: &'a Export,
    position: usize,
    first: usize,
    inputs: &'a mut dyn FnMut() -> usize,
    made: Made,
    /// Blocks of memory that were named.
    blocks: usize,
}

/// Where the members of so many structs are: `name[i]rest`, for i below `count`.
struct Rows<'a> {
    name: &'a str,
    rest: String,
    count: Option<&'a Expr>,
    /// The count in C.
    total: &'a str,
}

impl Rows<'_> {
    fn at(&self, index: &str) -> String {
        format!("{}[{index}]{}", self.name, self.rest)
    }
}

impl Maker<'_> {
    fn block(&mut self) -> String {
        self.blocks += 1;
        format!("made{}_{}", self.position, self.blocks)
    }

    /// A parameter, by its name in C.
    fn parameter(&mut self, kind: Kind, ty: ElemType, range: Option<(Expr, Expr)>, terminated: bool) -> String {
        let name = format!("p{}", self.first + self.made.passed.len());
        self.made.passed.push(Passed { kind, ty, range, terminated, position: self.position });
        name
    }

    fn number(&mut self, expr: &Expr) -> String {
        self.parameter(Kind::Number(expr.clone()), ElemType::I64, None, false)
    }

    /// An input of so many elements for each struct.
    fn array(&mut self, param: &Param, each: Option<&Expr>, count: Option<&Expr>) -> Option<String> {
        let (ty, range, terminated) = leaf(param)?;
        let length = match (each, count) {
            (Some(each), Some(count)) => each.times(count),
            (Some(length), None) | (None, Some(length)) => length.clone(),
            (None, None) => Expr::int(1),
        };
        let input = (self.inputs)();
        Some(self.parameter(Kind::Array(input, length), ty, range, terminated))
    }

    /// Zeroed memory for so many elements of a type, by its name.
    fn memory(&mut self, ty: &str, count: &str) -> String {
        let name = self.block();
        self.made.before += &format!(
            "    {ty} *{name} = ({ty} *)calloc((size_t)({count}) + 1, sizeof({ty}));\n    if (!{name})\n        abort();\n"
        );
        self.made.after += &format!("    free({name});\n");
        name
    }

    /// Makes structs, and gives the pointer to the first.
    fn structs(&mut self, spec: &StructSpec, count: Option<&Expr>) -> Option<String> {
        let ty = match spec.members.as_slice() {
            // Pointers that stand one behind the other.
            [only] if spec.name.is_empty() && is_pointer(only) => "void *".to_owned(),
            _ => self.export.struct_types.get(&spec.name)?.clone(),
        };
        let total = count.map_or_else(|| "1".to_owned(), |count| self.number(count));
        let name = self.memory(&ty, &total);
        let rows = Rows { name: &name, rest: String::new(), count, total: &total };
        let mut filled = String::new();
        for member in &spec.members {
            let rest = if spec.name.is_empty() { String::new() } else { format!(".{}", member.param.name) };
            filled += &self.member(member, &Rows { rest, ..rows_of(&rows) }, &rows)?;
        }
        self.made.before += &format!("    for (int64_t i = 0; i < {total}; i++) {{\n{filled}    }}\n");
        Some(match () {
            // The function knows what they point to.
            () if spec.name.is_empty() => self.export.as_any_pointer(&name),
            () if spec.is_linked() => format!("{total} > 0 ? {name} : 0"),
            () => name,
        })
    }

    /// The statements that give a member of each struct its value.
    fn member(&mut self, member: &Member, place: &Rows<'_>, owner: &Rows<'_>) -> Option<String> {
        let (at, count) = (place.at("i"), place.count);
        let assign = |value: String| format!("        {at} = {value};\n");
        // An enum of C++ takes no plain number.
        let number = |value: String| format!("        {at} = (__typeof__({at}))({value});\n");
        let export = self.export;
        let pointer = |value: String| assign(export.as_any_pointer(&value));
        match (&member.param.kind, member.is_inline) {
            (ParamKind::Scalar(_), _) => {
                let values = self.array(&member.param, None, count)?;
                Some(number(format!("{values}[i]")))
            }
            (ParamKind::Value(expr), _) => Some(number(self.number(expr))),
            (ParamKind::Array(_, length), true) => {
                let values = self.array(&member.param, Some(length), count)?;
                let each = self.number(length);
                let element = format!("{at}[j] = (__typeof__({at}[j]))({values}[i * {each} + j]);\n");
                Some(format!("        for (int64_t j = 0; j < {each}; j++)\n            {element}"))
            }
            (ParamKind::Struct(inner, None), true) => {
                let own = Rows { rest: place.rest.clone(), ..rows_of(place) };
                let mut filled = String::new();
                for member in &inner.members {
                    let rest = format!("{}.{}", place.rest, member.param.name);
                    filled += &self.member(member, &Rows { rest, ..rows_of(place) }, &own)?;
                }
                Some(filled)
            }
            (ParamKind::Link(Link::Following), _) => {
                Some(assign(format!("i + 1 < {} ? &{} : 0", owner.total, owner.at("i + 1"))))
            }
            (ParamKind::Link(Link::Preceding), _) => Some(assign(format!("i > 0 ? &{} : 0", owner.at("i - 1")))),
            (ParamKind::Null, _) => Some(String::new()),
            (ParamKind::Function(function), _) => Some(assign(function.name.clone())),
            (ParamKind::Array(_, length), false) => {
                let values = self.array(&member.param, Some(length), count)?;
                let each = self.number(length);
                Some(pointer(format!("({values} + i * {each})")))
            }
            (ParamKind::Text(_, length), false) if count.is_none() => {
                let values = self.array(&member.param, Some(length), count)?;
                Some(pointer(values))
            }
            (ParamKind::Text(_, length), false) => {
                let values = self.array(&member.param, Some(length), count)?;
                let each = self.number(length);
                // Each text has its own NUL.
                let texts = self.memory("char", &format!("{} * ({each} + 1)", place.total));
                let copy = format!("memcpy({texts} + i * ({each} + 1), {values} + i * {each}, (size_t){each});");
                Some(format!("        {copy}\n{}", pointer(format!("({texts} + i * ({each} + 1))"))))
            }
            (ParamKind::Out(ty, length), false) => {
                let each = self.number(length);
                let room = self.memory(c_type(*ty), &format!("{} * {each}", place.total));
                Some(pointer(format!("({room} + i * {each})")))
            }
            (ParamKind::Fixed(data), false) => {
                let name = self.block();
                let end = data.is_text.then_some(0);
                let values = data.values.iter().copied().chain(end).map(|value| c_literal(data.elem(), value as u64));
                let values: Vec<String> = values.collect();
                let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
                self.made.before += &format!("    static {} {name}[] = {{{values}}};\n", c_type(data.elem()));
                Some(pointer(name))
            }
            // Of structs that each of many points to, there may be other inputs at every size.
            (ParamKind::Struct(inner, inner_count), false) if count.is_none() => {
                let name = self.structs(inner, inner_count.as_ref())?;
                Some(pointer(format!("({name})")))
            }
            _ => None,
        }
    }
}

fn rows_of<'a>(rows: &Rows<'a>) -> Rows<'a> {
    Rows { name: rows.name, rest: String::new(), count: rows.count, total: rows.total }
}

fn is_pointer(member: &Member) -> bool {
    member.offset == Some(0) && !member.is_inline && member.param.kind.is_memory()
}
