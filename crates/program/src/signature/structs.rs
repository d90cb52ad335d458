//! The members of structs, from their types and from what the user says of some of them.

use super::guess::{Guesser, Item};
use super::leads::{Leads, is_same};
use super::names;
use crate::call::{ElemType, Expr, Link, Member, Param, ParamKind, StructSpec};
use crate::types::{Field, Part, StructType, Type, TypeId};

impl<'a> Guesser<'a> {
    /// A struct with every member by its type.
    pub(super) fn filled(&self, found: &'a StructType, depth: usize, many: bool) -> Result<StructSpec, String> {
        let empty = StructSpec { name: found.name.clone(), bytes: None, members: Vec::new() };
        self.with_members(found, empty, depth, many)
    }

    /// A struct in which what is given stands, and every other member is by its type. What cannot be made stays zero.
    pub(super) fn with_members(
        &self,
        found: &'a StructType,
        given: StructSpec,
        depth: usize,
        many: bool,
    ) -> Result<StructSpec, String> {
        let own: Vec<&Field> = found.fields.iter().filter(|field| !field.is_bits && !field.name.is_empty()).collect();
        if let Some(unknown) = given.members.iter().find(|member| own.iter().all(|f| f.name != member.param.name)) {
            let names: Vec<&str> = own.iter().map(|field| field.name.as_str()).collect();
            return Err(format!(
                "the struct {} has no member `{}`; it has {}",
                found.name,
                unknown.param.name,
                names.join(", ")
            ));
        }
        if !self.may_make(own.len()) {
            return Err(format!("the struct {} leads to too many members", found.name));
        }
        let items: Vec<Item<'_>> =
            own.iter().map(|field| Item { name: &field.name, ty: field.ty, part: Part::Whole }).collect();
        found
            .fields
            .iter()
            .filter(|field| field.is_bits && !field.name.is_empty())
            .for_each(|f| self.note_zero(found, f));
        self.making.borrow_mut().push(found);
        let made = self.made_members(found, &own, &items, &given, depth, many);
        self.making.borrow_mut().pop();
        let bytes = u32::try_from(found.bytes).map_err(|_| format!("the struct {} is too large", found.name))?;
        Ok(StructSpec { name: given.name, bytes: Some(bytes), members: made? })
    }

    fn made_members(
        &self,
        found: &'a StructType,
        own: &[&'a Field],
        items: &[Item<'_>],
        given: &StructSpec,
        depth: usize,
        many: bool,
    ) -> Result<Vec<Member>, String> {
        let guessed = self.list(items, true, depth, many);
        let mut members = Vec::new();
        for (field, guess) in own.iter().zip(guessed) {
            let param = match given.members.iter().find(|member| member.param.name == field.name) {
                Some(member) => Some(self.given_member(found, field, member)?),
                None => guess.ok().map(|guess| with_tokens(guess, given)),
            };
            let Some(param) = param.filter(|param| !matches!(param.kind, ParamKind::Null)) else {
                self.note_zero(found, field);
                continue;
            };
            members.push(self.member(field, param));
        }
        Ok(members)
    }

    /// Notes a member that stays zero.
    fn note_zero(&self, found: &StructType, field: &Field) {
        let name = match found.name.as_str() {
            "" => field.name.clone(),
            own => format!("{own}.{}", field.name),
        };
        let mut zero = self.zero.borrow_mut();
        if !zero.contains(&name) {
            zero.push(name);
        }
    }

    /// Whether a struct of this kind is being made already.
    pub(super) fn is_within(&self, found: &StructType) -> bool {
        self.making.borrow().iter().any(|outer| is_same(outer, found))
    }

    /// Whether structs of this kind make a list: one of its pointers leads to the next.
    pub(super) fn is_list(&self, found: &StructType) -> bool {
        found.fields.iter().any(|field| self.link(found, &field.name) == Some(Link::Following))
    }

    /// Whether structs of this kind have lists of their own kind below them.
    pub(super) fn is_tree(&self, found: &StructType) -> bool {
        self.is_list(found)
            && found.fields.iter().any(|field| names::is_below(&field.name) && self.leads_back(found, field))
    }

    /// Where a member of the innermost struct leads that points to a kind that is being made.
    pub(super) fn leads(&self, to: &StructType, name: &str) -> Leads {
        let making = self.making.borrow();
        let Some(own) = making.last().filter(|own| is_same(own, to)) else { return Leads::Nowhere };
        // The root of a tree stands alone.
        let is_root = self.is_tree(own) && making.iter().filter(|outer| is_same(outer, own)).count() == 1;
        match self.link(own, name) {
            _ if is_root && names::is_below(name) => Leads::Below,
            Some(link) if !is_root => Leads::Beside(link),
            _ => Leads::Nowhere,
        }
    }

    fn leads_back(&self, own: &StructType, field: &Field) -> bool {
        let target = self.types.target(field.ty).map(|to| self.types.plain(to));
        matches!(target, Some(Type::Struct(to)) if is_same(own, to))
    }

    /// Where the member of this name points to in a list of such structs: by its name, or because no other member leads to the same kind.
    pub(super) fn link(&self, own: &StructType, name: &str) -> Option<Link> {
        let links: Vec<&Field> = own.fields.iter().filter(|field| self.leads_back(own, field)).collect();
        let field = links.iter().find(|field| field.name == name)?;
        let one_way = links.iter().filter(|field| !names::is_upwards(&field.name)).count() == 1;
        match () {
            () if names::is_next(&field.name) => Some(Link::Following),
            () if names::is_previous(&field.name) => Some(Link::Preceding),
            () if one_way && !names::is_upwards(&field.name) => Some(Link::Following),
            () => None,
        }
    }

    fn member(&self, field: &Field, param: Param) -> Member {
        let is_number = matches!(param.kind, ParamKind::Value(_) | ParamKind::LengthOf(_));
        Member {
            param: Param { name: field.name.clone(), ..param },
            offset: u32::try_from(field.offset).ok(),
            is_inline: matches!(self.types.plain(field.ty), Type::Array { .. } | Type::Struct(_)),
            width: is_number.then(|| self.types.elem(field.ty).unwrap_or(ElemType::U32)),
        }
    }

    /// What the user says of a member, if that goes with its type.
    fn given_member(&self, found: &StructType, field: &'a Field, member: &Member) -> Result<Param, String> {
        let what = || format!("`{} {}` of the struct {}", self.types.show(field.ty), field.name, found.name);
        let is_pointer = self.types.target(field.ty).is_some();
        match (self.types.plain(field.ty), &member.param.kind) {
            (
                Type::Number { .. } | Type::Enum { .. },
                ParamKind::Scalar(_) | ParamKind::Value(_) | ParamKind::LengthOf(_),
            ) => Ok(member.param.clone()),
            (Type::Number { .. } | Type::Enum { .. }, _) => Err(format!("{} is a number", what())),
            (Type::Array { count, .. }, ParamKind::Array(_, length)) => {
                let given = length.eval(1).ok().and_then(|given| u64::try_from(given).ok());
                if given != *count {
                    return Err(format!("{} has a length of its own; write {}", what(), count.unwrap_or(0)));
                }
                Ok(member.param.clone())
            }
            (Type::Struct(inner), ParamKind::Struct(spec, None)) => {
                let spec = self.with_members(inner, spec.clone(), 1, false)?;
                Ok(Param { kind: ParamKind::Struct(spec, None), ..member.param.clone() })
            }
            (_, ParamKind::Scalar(_) | ParamKind::Value(_) | ParamKind::LengthOf(_)) if is_pointer => {
                Err(format!("{} is a pointer, not a number; write cstr[n], TYPE[n] or null", what()))
            }
            (_, ParamKind::Struct(spec, count)) if is_pointer => {
                let target = self.types.target(field.ty).map(|to| self.types.plain(to));
                let spec = match (target, &spec.members[..]) {
                    (Some(Type::Struct(inner)), _) => self.with_members(inner, spec.clone(), 1, count.is_some())?,
                    (Some(Type::Pointer { to, .. }), [pointed]) if spec.name.is_empty() => {
                        StructSpec { bytes: Some(4), members: vec![self.pointed(*to, pointed)?], ..spec.clone() }
                    }
                    (Some(Type::Pointer { .. }), _) => {
                        return Err(format!("{} points to pointers; write {{ p: … }}[n]", what()));
                    }
                    _ => return Err(format!("{} points to no struct", what())),
                };
                Ok(Param { kind: ParamKind::Struct(spec, count.clone()), ..member.param.clone() })
            }
            _ if is_pointer => Ok(member.param.clone()),
            _ => Err(format!("{} cannot be that", what())),
        }
    }

    /// What is given for one of many pointers, with all members where it is a struct.
    fn pointed(&self, to: TypeId, given: &Member) -> Result<Member, String> {
        let kind = match (self.types.plain(to), &given.param.kind) {
            (Type::Struct(inner), ParamKind::Struct(spec, count)) => {
                ParamKind::Struct(self.with_members(inner, spec.clone(), 1, count.is_some())?, count.clone())
            }
            (_, kind) if kind.is_memory() => kind.clone(),
            _ => return Err(format!("`{}` is one of many pointers, not a number", given.param.name)),
        };
        Ok(Member { param: Param { kind, ..given.param.clone() }, offset: Some(0), is_inline: false, width: None })
    }
}

/// A member that would be the size, of a struct whose text is given as tokens: the size counts these, and the member their bytes.
fn with_tokens(guess: Param, given: &StructSpec) -> Param {
    let mut tokens = given.members.iter().filter(|member| matches!(member.param.kind, ParamKind::Tokens(..)));
    match (&guess.kind, tokens.next(), tokens.next()) {
        (ParamKind::Value(length), Some(text), None) if *length == Expr::size() => {
            Param { kind: ParamKind::LengthOf(text.param.name.clone()), ..guess }
        }
        _ => guess,
    }
}
