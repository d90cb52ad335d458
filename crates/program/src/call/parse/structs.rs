//! Structs, by name or member by member.

use super::{Failure, Parser, fail};
use crate::call::lex::Token;
use crate::call::reserved::means_a_type;
use crate::call::{Link, Member, Param, ParamKind, StructSpec};

/// How deep structs may nest.
const DEEPEST: usize = 8;
/// More members than this are refused.
const MOST_MEMBERS: usize = 1000;

impl Parser<'_> {
    /// A struct, if one comes: a word that is no type of our own, or members in braces.
    pub(super) fn structure(&mut self) -> Result<Option<StructSpec>, Failure> {
        let at = self.at();
        let said = self.take_word("struct");
        let name = match self.peek() {
            Token::Word(word) if said || self.is_struct_name(word) => {
                let word = word.clone();
                self.next += 1;
                word
            }
            Token::Symbol("{") => String::new(),
            _ if said => return fail(at, "there is no name after `struct`", "write the struct's name"),
            _ => return Ok(None),
        };
        let mut spec = StructSpec { name, bytes: None, members: Vec::new() };
        if self.take_if("{") {
            if self.structs >= DEEPEST {
                return fail(at, "structs are nested too deeply", "leave the inner ones to their types");
            }
            self.structs += 1;
            self.members(&mut spec)?;
            self.structs -= 1;
            spec.lay_out_as_c();
        }
        Ok(Some(spec))
    }

    /// Whether a word that is no type can only be a struct's name, and not a slip.
    fn is_struct_name(&self, word: &str) -> bool {
        let next = self.tokens.get(self.next + 1).map(|(_, token)| token);
        let ends = matches!(next, Some(Token::Symbol("[" | "{" | "," | ")" | "}")));
        ends && word != "in" && !means_a_type(word)
    }

    fn members(&mut self, spec: &mut StructSpec) -> Result<(), Failure> {
        let help = "separate members with commas and close the struct with a brace";
        while !self.take_if("}") {
            if !spec.members.is_empty() {
                self.expect(",", help)?;
            }
            if self.take_if("..") {
                spec.bytes = Some(self.small_number()?);
                return self.expect("}", "the size of a struct comes last");
            }
            let at = self.at();
            let member = self.member()?;
            if spec.members.iter().any(|other| other.param.name == member.param.name) {
                let message = format!("a second member is called `{}`", member.param.name);
                return fail(at, message, "give each its own name");
            }
            spec.members.push(member);
            if spec.members.len() > MOST_MEMBERS {
                return fail(at, "too many members", format!("a struct has at most {MOST_MEMBERS} here"));
            }
        }
        Ok(())
    }

    fn member(&mut self) -> Result<Member, Failure> {
        let at = self.at();
        let Token::Word(name) = self.take() else {
            return fail(at, "expected the name of a member", "write members as in { x: i32, s: cstr[n] }");
        };
        let offset = if self.take_word("at") { Some(self.small_number()?) } else { None };
        self.expect(":", "write members as in { x: i32, s: cstr[n] }")?;
        let is_inline = self.take_word("inline");
        let typed = matches!(self.tokens.get(self.next + 1), Some((_, Token::Symbol("="))));
        if typed {
            let at = self.at();
            let Some(width) = self.elem_type()?.filter(|ty| !ty.is_float()) else {
                return fail(at, "only whole numbers can be given", "write it as in len: u32 = n");
            };
            self.next += 1;
            let kind = match self.words()? {
                Some(length @ ParamKind::LengthOf(_)) => length,
                Some(_) => return fail(at, "this is no number", "write it as in len: u32 = n, or = len(text)"),
                None => ParamKind::Value(self.expr()?),
            };
            return Ok(Member { param: Param::new(name, kind), offset, is_inline: false, width: Some(width) });
        }
        if let Some(link) = self.link() {
            return Ok(Member {
                param: Param::new(name, ParamKind::Link(link)),
                offset,
                is_inline: false,
                width: None,
            });
        }
        let param = self.what(name)?;
        if is_inline && !matches!(param.kind, ParamKind::Array(..) | ParamKind::Struct(_, None)) {
            return fail(at, "only arrays and structs can be inline", "leave the word out");
        }
        Ok(Member { param, offset, is_inline, width: None })
    }

    /// A pointer to a neighbour, if one comes; with members or a length, the word is a struct's name.
    fn link(&mut self) -> Option<Link> {
        let Token::Word(word) = self.peek() else { return None };
        let next = self.tokens.get(self.next + 1).map(|(_, token)| token);
        let link = Link::named(word).filter(|_| !matches!(next, Some(Token::Symbol("[" | "{"))));
        self.next += usize::from(link.is_some());
        link
    }

    fn small_number(&mut self) -> Result<u32, Failure> {
        let at = self.at();
        match self.take() {
            Token::Int(value) if value <= 1 << 20 => Ok(value as u32),
            other => fail(at, format!("expected a number of bytes, found {}", other.describe()), "write a number"),
        }
    }
}
