//! A call from the types of a function: pointers with their lengths, text, buffers to write to.

use std::cell::{Cell, RefCell};

use super::leads::Leads;
use super::names;
use super::plain::is_plain;
use crate::call::{CallSpec, ElemType, Expr, FunctionRef, Member, Param, ParamKind, StructSpec, TextKind};
use crate::types::{Part, Slot, SourceLanguage, StructType, Type, TypeId, Types};

/// The length of each text where there are many.
const SHORT_TEXT: u64 = 8;
/// The greatest scalar value below the surrogates, which a Rust `char` cannot be.
const LAST_SIMPLE_CHAR: u64 = 0xd7ff;
/// How deep structs are followed.
const DEEPEST: usize = 3;
/// Members made for one call: structs that point to others many times over would fill the memory.
const MOST_MEMBERS: usize = 2000;

/// A call that the types of a function suggest.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    pub spec: CallSpec,
    /// Parameters for which the types do not suffice, and why; the call has a null for them, or `&NAME` for functions.
    pub open: Vec<Open>,
    /// Members of structs that cannot be made and stay zero, as in `parser.state`; each once.
    pub zero: Vec<String>,
}

/// A parameter that cannot be guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// From 1.
    pub position: usize,
    /// The parameter as it was declared, and why it cannot be made.
    pub why: String,
    /// Whether the user can write something for it: a null, a function, memory of another kind.
    pub can_be_written: bool,
    /// Whether it is a function, of which only the user knows which.
    pub is_function: bool,
}

impl Guess {
    /// Whether the call can be used as it is.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}

/// A parameter or member, as the rules see it.
pub(super) struct Item<'a> {
    pub name: &'a str,
    pub ty: TypeId,
    pub part: Part,
}

/// Makes calls for functions of one language.
pub(super) struct Guesser<'a> {
    pub types: &'a Types,
    pub language: SourceLanguage,
    /// Members that may still be made.
    left: Cell<usize>,
    /// The structs that are being made, the innermost last.
    pub(super) making: RefCell<Vec<&'a StructType>>,
    /// Members that nothing was made for.
    pub(super) zero: RefCell<Vec<String>>,
}

/// What is known of a whole list of parameters before each is looked at.
struct Context {
    has_pointer: bool,
    has_named_length: bool,
    has_constant_text: bool,
    numbers: usize,
    /// Whether the list is of members: numbers are inputs unless a pointer needs them.
    members: bool,
}

impl<'a> Guesser<'a> {
    pub(super) fn new(types: &'a Types, language: SourceLanguage) -> Guesser<'a> {
        Guesser { types, language, left: Cell::new(MOST_MEMBERS), making: RefCell::default(), zero: RefCell::default() }
    }

    /// Whether so many more members may be made; then they are counted.
    pub(super) fn may_make(&self, members: usize) -> bool {
        let left = self.left.get().checked_sub(members);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// A call of a function with these parameters.
    pub(super) fn call(&self, function: &str, slots: &[Slot]) -> Guess {
        let items: Vec<Item<'_>> =
            slots.iter().map(|slot| Item { name: &slot.name, ty: slot.ty, part: slot.part }).collect();
        let (mut params, mut open) = (Vec::new(), Vec::new());
        for (position, made) in self.list(&items, false, DEEPEST, false).into_iter().enumerate() {
            let mut param = made.unwrap_or_else(|why| {
                let why = format!("`{}` {why}", self.show(&items[position]));
                let target = self.types.target(items[position].ty).map(|to| self.types.plain(to));
                let is_function = matches!(target, Some(Type::Function));
                let can_be_written = self.language == SourceLanguage::C || is_function;
                open.push(Open { position: position + 1, why, can_be_written, is_function });
                let name = FunctionRef { name: "NAME".to_owned(), index: None };
                Param::new("", if is_function { ParamKind::Function(name) } else { ParamKind::Null })
            });
            if let ParamKind::EndOf(_) = &param.kind {
                // It was made for the parameter before it, whose name is known now.
                let before = params.last().map(|before: &Param| before.name.clone());
                param.kind = ParamKind::EndOf(before.unwrap_or_default());
            }
            let is_input = !matches!(
                param.kind,
                ParamKind::Value(_) | ParamKind::Null | ParamKind::EndOf(_) | ParamKind::Function(_)
            );
            param.name =
                if is_input { names::usable(items[position].name, position) } else { format!("arg{position}") };
            let taken = |name: &str| params.iter().any(|other: &Param| other.name == name);
            if taken(&param.name) {
                param.name = format!("arg{position}");
            }
            params.push(param);
        }
        let zero = self.zero.take();
        Guess { spec: CallSpec { function: function.to_owned(), params }, open, zero }
    }

    /// A parameter as it was declared.
    pub(super) fn show(&self, item: &Item<'_>) -> String {
        if self.language == SourceLanguage::Rust {
            return format!("{}: {}", item.name, self.types.show_rust(item.ty));
        }
        let ty = self.types.show(item.ty);
        let space = if ty.ends_with(['*', '&']) || item.name.is_empty() { "" } else { " " };
        format!("{ty}{space}{}", item.name)
    }

    /// What to pass for each of a list, or why that cannot be said.
    pub(super) fn list(
        &self,
        items: &[Item<'_>],
        members: bool,
        depth: usize,
        many: bool,
    ) -> Vec<Result<Param, String>> {
        let is_number = |item: &&Item<'_>| self.integer(item).is_some();
        let context = Context {
            has_pointer: items.iter().any(|item| self.types.target(item.ty).is_some() || item.part != Part::Whole),
            has_named_length: items.iter().filter(is_number).any(|item| names::is_length(item.name)),
            has_constant_text: items.iter().any(|item| {
                self.types.target(item.ty).is_some_and(|to| self.types.is_const(to) && self.types.is_character(to))
            }),
            numbers: items.iter().filter(is_number).count(),
            members,
        };
        (0..items.len()).map(|at| self.one(items, at, &context, depth, many)).collect()
    }

    fn integer(&self, item: &Item<'_>) -> Option<ElemType> {
        match self.types.plain(item.ty) {
            Type::Number { elem, .. } if item.part == Part::Whole && !elem.is_float() && *elem != ElemType::Bool => {
                Some(*elem)
            }
            _ => None,
        }
    }

    fn one(&self, items: &[Item<'_>], at: usize, context: &Context, depth: usize, many: bool) -> Result<Param, String> {
        let item = &items[at];
        match item.part {
            Part::SliceLength => return Ok(value(Expr::size())),
            Part::SlicePointer => return self.slice(item, depth),
            Part::Result => {
                let bytes = self.types.bytes(item.ty).ok_or("has a size that is not known")?;
                return Ok(Param::new("", ParamKind::Out(ElemType::U8, Expr::int(bytes))));
            }
            Part::Whole => {}
        }
        match self.types.plain(item.ty) {
            Type::Number { elem, .. } if elem.is_float() || *elem == ElemType::Bool => {
                Ok(Param::new("", ParamKind::Scalar(*elem)))
            }
            Type::Number { elem, name, .. } => {
                let is_char = name == "char" && elem.bytes() == 4;
                Ok(self.number(items, at, *elem, is_char, context))
            }
            Type::Enum { elem, range, .. } => Ok(enumeration(ParamKind::Scalar(*elem), *range)),
            Type::Pointer { to, reference, .. } => self.pointer(items, at, *to, *reference, context, depth, many),
            Type::Struct(found) => match depth.checked_sub(1) {
                Some(depth) => self.structure(item.ty, found, None, depth),
                None => Err("is a struct inside of too many others".to_owned()),
            },
            Type::Array { of, count } if context.members => self.inline_array(*of, *count),
            Type::Other(name) if name.is_empty() => Err("is a union, which is not made".to_owned()),
            _ => Err("has a type that is not made".to_owned()),
        }
    }

    /// A whole number: the size, an end of a stretch, or an input.
    fn number(&self, items: &[Item<'_>], at: usize, elem: ElemType, is_char: bool, context: &Context) -> Param {
        let input = Param::new("", ParamKind::Scalar(elem));
        let name = items[at].name;
        if is_char {
            return Param { range: Some((Expr::int(0), Expr::int(LAST_SIMPLE_CHAR))), ..input };
        }
        if context.members && !context.has_pointer {
            return input;
        }
        // Behind a pointer to elements; behind one to a struct or to a pointer, numbers are as often options as counts. Nor is a byte or a
        // truth value a count.
        let before = at.checked_sub(1).and_then(|before| self.types.target(items[before].ty));
        let of_elements =
            before.is_some_and(|to| !matches!(self.types.plain(to), Type::Struct(_) | Type::Pointer { .. }));
        let follows_pointer = of_elements && elem.bytes() > 1 && !names::is_flag(&self.types.show(items[at].ty));
        if names::is_length(name) {
            let of_needle = at.checked_sub(1).is_some_and(|before| self.is_needle(items, before));
            return value(if of_needle { Expr::half_size() } else { Expr::size() });
        }
        if context.members {
            return input;
        }
        if context.has_pointer {
            // As sorts take them: the first and the last index.
            let both =
                items.iter().any(|item| names::is_low(item.name)) && items.iter().any(|item| names::is_high(item.name));
            return match () {
                () if both && names::is_low(name) => value(Expr::int(0)),
                () if both && names::is_high(name) => value(Expr::size_less_one()),
                () if !context.has_named_length && !both && follows_pointer && !names::is_value(name) => {
                    value(Expr::size())
                }
                () => input,
            };
        }
        // A character is no size.
        if context.numbers == 1 && elem.bytes() > 1 {
            return value(Expr::size());
        }
        // Nothing else would make the call depend on the size.
        let narrow = elem.bytes() < 4;
        if narrow { input } else { Param { range: Some((Expr::int(0), Expr::size())), ..input } }
    }

    /// Whether a number behind a pointer, or behind a row of pointers to what is alike, is its length.
    fn has_length(&self, items: &[Item<'_>], at: usize, context: &Context) -> bool {
        let structure = |item: &Item<'_>| {
            let target = self.types.target(item.ty)?;
            Some(matches!(self.types.plain(target), Type::Struct(_)).then(|| self.types.struct_name(target)))
        };
        if self.is_end(items, at + 1, context) {
            return true;
        }
        let own = structure(&items[at]);
        let mut next = at + 1;
        while items.get(next).is_some_and(|item| structure(item).is_some() && structure(item) == own) {
            next += 1;
        }
        let Some(item) = items.get(next) else { return false };
        let Some(elem) = self.integer(item) else { return false };
        let bound = |low: &Item<'_>| names::is_low(low.name) || names::is_high(low.name);
        matches!(self.number(items, next, elem, false, context).kind, ParamKind::Value(_)) || bound(item)
    }

    /// Whether a pointer is the end of what the one before it points to the beginning of.
    fn is_end(&self, items: &[Item<'_>], at: usize, context: &Context) -> bool {
        let (Some(item), Some(before)) = (items.get(at), at.checked_sub(1).map(|before| &items[before])) else {
            return false;
        };
        let plain =
            |item: &Item<'_>| self.types.target(item.ty).map(|to| (self.types.plain(to), self.types.is_const(to)));
        let is_in_one_piece = |item: &Item<'_>| item.part == Part::Whole;
        let alike = matches!((plain(before), plain(item)), (Some(one), Some(other)) if one == other);
        let of_elements = matches!(plain(item), Some((Type::Number { .. } | Type::Enum { .. } | Type::Struct(_), _)));
        !context.members
            && is_in_one_piece(item)
            && is_in_one_piece(before)
            && alike
            && of_elements
            && names::is_end(item.name)
            && !names::is_end(before.name)
    }

    /// Whether a text is what is looked for in another, which has a length of its own if this one has.
    fn is_needle(&self, items: &[Item<'_>], at: usize) -> bool {
        let is_memory = |to: TypeId| self.types.is_character(to) || matches!(self.types.plain(to), Type::Void);
        let is_text = |item: &Item<'_>| item.part == Part::Whole && self.types.target(item.ty).is_some_and(is_memory);
        let is_beside = |other: &Item<'_>| is_text(other) && !names::is_needle(other.name);
        // One length for two texts is that of the other.
        let lengths = items.iter().filter(|item| self.integer(item).is_some() && names::is_length(item.name)).count();
        let next = items.get(at + 1).filter(|next| self.integer(next).is_some());
        let is_its_own = next.is_none_or(|next| lengths > 1 && names::is_length(next.name));
        names::is_needle(items[at].name) && is_text(&items[at]) && is_its_own && items.iter().any(is_beside)
    }

    #[allow(clippy::too_many_arguments)]
    fn pointer(
        &self,
        items: &[Item<'_>],
        at: usize,
        to: TypeId,
        reference: bool,
        context: &Context,
        depth: usize,
        many: bool,
    ) -> Result<Param, String> {
        let (name, is_const) = (items[at].name, self.types.is_const(to));
        if self.is_end(items, at, context) {
            return Ok(Param::new("", ParamKind::EndOf(String::new())));
        }
        let paired = self.has_length(items, at, context);
        let anywhere = context.has_named_length && !context.has_constant_text;
        let room = || Expr::times_size_plus(4, 64);
        let length = match many {
            true => Expr::int(SHORT_TEXT),
            // Of the same length as the text it is looked for in, it could be at one place only.
            false if self.is_needle(items, at) => Expr::half_size(),
            false => Expr::size(),
        };
        match self.types.plain(to) {
            Type::Number { .. } if self.types.is_character(to) => {
                let to_write = names::is_output(name) || (context.has_constant_text && !paired);
                if !is_const && to_write {
                    return Ok(Param::new("", ParamKind::Out(ElemType::U8, room())));
                }
                Ok(Param::new(
                    "",
                    match paired {
                        true => ParamKind::Array(ElemType::U8, length),
                        false => ParamKind::Text(TextKind::CStr, length),
                    },
                ))
            }
            Type::Number { elem, .. } => {
                if reference && !paired {
                    return Ok(Param::new("", ParamKind::Array(*elem, Expr::int(1))));
                }
                let others = items.iter().filter(|item| self.types.target(item.ty).is_some()).count() > 1;
                let to_write = names::is_output(name) || (others && !paired && !anywhere);
                if !is_const && to_write {
                    return Ok(Param::new("", ParamKind::Out(*elem, room())));
                }
                Ok(Param::new("", ParamKind::Array(*elem, length)))
            }
            Type::Enum { elem, range, .. } => Ok(enumeration(ParamKind::Array(*elem, length), *range)),
            Type::Void if paired && !is_const && names::is_output(name) => {
                Ok(Param::new("", ParamKind::Out(ElemType::U8, length)))
            }
            Type::Void if paired => Ok(Param::new("", ParamKind::Array(ElemType::U8, length))),
            Type::Void if names::is_handed_through(name) => Ok(Param::new("", ParamKind::Null)),
            Type::Void => Err("does not say what it points to".to_owned()),
            // Structs that lead back to their own kind are lists, or else end here: made at every depth, they would fill the memory.
            Type::Struct(found) if context.members && self.is_within(found) => match self.leads(found, name) {
                Leads::Beside(link) => Ok(Param::new("", ParamKind::Link(link))),
                Leads::Below if depth > 0 => self.structure(to, found, Some(Expr::size()), depth - 1),
                Leads::Below | Leads::Nowhere => Ok(Param::new("", ParamKind::Null)),
            },
            Type::Struct(found) if depth > 0 || context.members => {
                let Some(depth) = depth.checked_sub(1) else { return Ok(Param::new("", ParamKind::Null)) };
                self.structure(to, found, paired.then(Expr::size), depth)
            }
            Type::Pointer { to, .. } => {
                // The arguments of a program follow their number.
                let paired = paired || name == "argv" && items.iter().any(|item| item.name == "argc");
                self.pointer_to_pointer(name, *to, paired, context, depth)
            }
            Type::Array { of, count } => match (self.types.elem(*of), count) {
                (Some(elem), Some(count)) if paired => {
                    Ok(Param::new("", ParamKind::Array(elem, Expr::times_size_plus(*count, 0))))
                }
                (Some(elem), Some(count)) => Ok(Param::new("", ParamKind::Array(elem, Expr::int(*count)))),
                _ => Err("points to an array whose length is not known".to_owned()),
            },
            Type::Function => Err("is a function; write &NAME for one of the program".to_owned()),
            _ => Err("points to something that is not made".to_owned()),
        }
    }

    /// A pointer to pointers: so many texts or structs, one that is moved along a text, or a place for one that the function makes.
    fn pointer_to_pointer(
        &self,
        name: &str,
        to: TypeId,
        paired: bool,
        context: &Context,
        depth: usize,
    ) -> Result<Param, String> {
        /// What a pointer takes on any machine.
        const WIDEST: u64 = 8;
        let place = || Ok(Param::new("", ParamKind::Out(ElemType::U8, Expr::int(WIDEST))));
        let to_write = !paired && (names::is_output(name) || names::is_high(name) || context.has_constant_text);
        let pointed = match self.types.plain(to) {
            _ if to_write => return place(),
            Type::Number { .. } if self.types.is_character(to) => {
                let length = if paired { Expr::int(SHORT_TEXT) } else { Expr::size() };
                Param::new("p", ParamKind::Text(TextKind::CStr, length))
            }
            Type::Struct(found) if !found.is_declaration && depth > 0 => {
                Param { name: "p".to_owned(), ..self.structure(to, found, None, depth - 1)? }
            }
            Type::Struct(_) | Type::Void if !paired => return place(),
            _ => return Err("points to pointers to something that is not made".to_owned()),
        };
        let member = Member { param: pointed, offset: Some(0), is_inline: false, width: None };
        let spec = StructSpec { name: String::new(), bytes: Some(4), members: vec![member] };
        Ok(Param::new("", ParamKind::Struct(spec, paired.then(Expr::size))))
    }

    fn structure(&self, id: TypeId, found: &'a StructType, count: Option<Expr>, depth: usize) -> Result<Param, String> {
        if found.is_declaration {
            return Err("is a struct of which only the name is known here".to_owned());
        }
        if self.language != SourceLanguage::C && !is_plain(self.types, found, self.language) {
            return Err(format!("is made by its own functions ({}); {}", found.short_name(), self.remedy()));
        }
        // A list has n elements, unless there are n lists; the root of a tree is one, with n below it.
        let is_list = !self.is_within(found) && self.is_list(found) && !self.is_tree(found);
        let count = count.or_else(|| is_list.then(Expr::size));
        let spec = StructSpec { name: self.types.struct_name(id), ..self.filled(found, depth, count.is_some())? };
        Ok(Param::new("", ParamKind::Struct(spec, count)))
    }

    fn remedy(&self) -> &'static str {
        match self.language {
            SourceLanguage::Rust => {
                "give its type with a length, as in &mut Vec<u32>[n], or call a function that takes a slice or &str and makes it"
            }
            _ => {
                "give its type with a length, as in std::string[n], or call a function that takes a pointer and a length and makes it"
            }
        }
    }

    fn slice(&self, item: &Item<'_>, depth: usize) -> Result<Param, String> {
        if self.types.is_str(item.ty) {
            return Ok(Param::new("", ParamKind::Text(TextKind::Str, Expr::size())));
        }
        let of = self.types.slice_element(item.ty).ok_or("has elements that are not known")?;
        match self.types.plain(of) {
            Type::Number { elem, name, .. } => {
                let param = Param::new("", ParamKind::Array(*elem, Expr::size()));
                let is_char = name == "char" && elem.bytes() == 4;
                Ok(if is_char {
                    Param { range: Some((Expr::int(0), Expr::int(LAST_SIMPLE_CHAR))), ..param }
                } else {
                    param
                })
            }
            Type::Enum { elem, range, .. } => Ok(enumeration(ParamKind::Array(*elem, Expr::size()), *range)),
            Type::Struct(found) => self.structure(of, found, Some(Expr::size()), depth),
            _ => Err("has elements that are not made".to_owned()),
        }
    }

    fn inline_array(&self, of: TypeId, count: Option<u64>) -> Result<Param, String> {
        let elem = self.types.elem(of).ok_or("is an array of what is not made")?;
        let count = count.ok_or("is an array of unknown length")?;
        Ok(Param::new("", ParamKind::Array(elem, Expr::int(count))))
    }
}

fn value(expr: Expr) -> Param {
    Param::new("", ParamKind::Value(expr))
}

/// Values that have a name.
pub(super) fn enumeration(kind: ParamKind, range: Option<(i64, i64)>) -> Param {
    let bound = |value: i64| u64::try_from(value).ok().map(Expr::int);
    let range = range.and_then(|(low, high)| Some((bound(low)?, bound(high)?)));
    Param { range, ..Param::new("", kind) }
}
