//! Types as their author wrote them.

use super::{FunctionType, SourceLanguage, Type, TypeId, Types};

/// Types inside types that are written out before the rest is left out.
const DEEPEST: usize = 8;

impl Types {
    /// A type, as in `const char *`.
    pub fn show(&self, id: TypeId) -> String {
        self.show_within(id, DEEPEST)
    }

    fn show_within(&self, id: TypeId, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_owned() };
        let or = |name: &str, other: &str| if name.is_empty() { other.to_owned() } else { name.to_owned() };
        match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Number { name, .. } => name.clone(),
            Type::Enum { name, .. } => or(name, "enum"),
            Type::Other(name) => or(name, "a union"),
            Type::Struct(found) => or(&found.name, "struct"),
            Type::Alias { name, to } if name.is_empty() => self.show_within(*to, depth),
            Type::Alias { name, .. } => name.clone(),
            // What is constant about a parameter that is a pointer is nobody's business but the function's.
            Type::Const(to) if matches!(self.get(*to), Type::Pointer { .. }) => self.show_within(*to, depth),
            Type::Const(to) => format!("const {}", self.show_within(*to, depth)),
            Type::Array { of, count } => {
                format!("{}[{}]", self.show_within(*of, depth), count.map_or(String::new(), |count| count.to_string()))
            }
            Type::Function => "function".to_owned(),
            Type::Pointer { to, .. } if matches!(self.plain(*to), Type::Function) => "function pointer".to_owned(),
            Type::Pointer { to, reference, .. } => {
                let target = self.show_within(*to, depth);
                let mark = if *reference { '&' } else { '*' };
                if target.ends_with('*') { format!("{target}{mark}") } else { format!("{target} {mark}") }
            }
        }
    }

    /// A function with its parameters under a name, as in `int parse(const char *s)`.
    pub fn show_function(&self, function: &FunctionType, name: &str) -> String {
        let own = function.params.iter().filter(|param| !param.is_artificial);
        if function.language == SourceLanguage::Rust {
            let params: Vec<String> =
                own.map(|param| format!("{}: {}", param.name, self.show_rust(param.ty))).collect();
            let result = match self.show_rust(function.result).as_str() {
                "()" | "void" => String::new(),
                other => format!(" -> {other}"),
            };
            return format!("fn {name}({}){result}", params.join(", "));
        }
        let params: Vec<String> = own
            .map(|param| {
                let ty = self.show(param.ty);
                let space = if ty.ends_with(['*', '&']) || param.name.is_empty() { "" } else { " " };
                format!("{ty}{space}{}", param.name)
            })
            .collect();
        let result = self.show(function.result);
        let space = if result.ends_with(['*', '&']) { "" } else { " " };
        format!("{result}{space}{name}({})", params.join(", "))
    }

    /// A type of Rust without the paths of its library.
    pub fn show_rust(&self, id: TypeId) -> String {
        let name = match self.get(id) {
            Type::Pointer { name, .. } if !name.is_empty() => name.clone(),
            Type::Array { of, count: Some(count) } => format!("[{}; {count}]", self.show_rust(*of)),
            _ => self.show(id),
        };
        // Where the library keeps its types is of no interest to somebody who uses them.
        let mut short = name.replace(", alloc::alloc::Global", "").replace(",alloc::alloc::Global", "");
        for path in ["alloc::vec::", "alloc::string::", "alloc::boxed::", "core::option::", "std::collections::"] {
            short = short.replace(path, "");
        }
        short
    }
}
