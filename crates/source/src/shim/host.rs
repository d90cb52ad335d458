//! Calls for the machine slowpath itself runs on: the statements that make the values of a call and hand them over.
//!
//! They stand in a function of plain C, whose parameters `p0`, `p1`, … are those of the plain call: a pointer for each array, the
//! value of each number, and 64 bits for what is made from n. The types are those of the host, where a `long` and a `usize` have 64
//! bits; elements that are wider here than on wasm32 are copied one by one.

use super::name::checked;
use super::signature::{Argument, Signature};
use super::{ShimError, cpp, rust};

/// A call in the language of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCall {
    /// Statements, the call among them.
    pub body: String,
    /// Flags that they need.
    pub flags: Vec<String>,
}

impl HostCall {
    /// A call with the types of C++, of a function called `name`, or as the call says. `slowpath_kept` is what keeps an optimiser from leaving out a call
    /// whose result nobody looks at.
    pub fn cpp(call: &str, name: Option<&str>) -> Result<HostCall, ShimError> {
        let signature = read(call)?;
        if !signature.methods.is_empty() {
            return Err(ShimError::NotRust { call: call.to_owned() });
        }
        let function = checked(name.unwrap_or(&signature.function))?;
        let (mut body, mut passed, mut at) = (String::new(), Vec::new(), 0);
        for (i, argument) in signature.arguments.iter().enumerate() {
            let (prepared, pass) = cpp::host_piece(argument, i, &mut at)?;
            body += &prepared;
            passed.push(pass);
        }
        body += &format!("    (void)(::{function}({}), slowpath_kept());\n", passed.join(", "));
        let spans = signature.arguments.iter().any(|argument| argument.ty.contains("std::span"));
        Ok(HostCall { body, flags: if spans { vec!["-std=c++20".to_owned()] } else { Vec::new() } })
    }

    /// A call with the types of Rust, of the function at `path`.
    pub fn rust(call: &str, path: &str) -> Result<HostCall, ShimError> {
        let signature = read(call)?;
        let whole = signature.whole_name();
        let methods = whole.strip_prefix(&signature.function).unwrap_or_default();
        HostCall::of_rust(&signature, path.strip_suffix(methods).unwrap_or(path))
    }

    /// A call whose types are those that the function declares; a slice takes two of the plain arguments.
    pub fn rust_declared(types: &[String], path: &str) -> Result<HostCall, ShimError> {
        let argument = |(k, ty): (usize, &String)| {
            let is_slice = ty.ends_with("str") || ty.starts_with("&[") && !ty.contains(';') || ty.starts_with("&mut [");
            let length = is_slice.then(|| "n".to_owned());
            Argument { text: ty.clone(), name: format!("arg{k}"), ty: ty.clone(), length, condition: None }
        };
        let arguments = types.iter().enumerate().map(argument).collect();
        HostCall::of_rust(&Signature { function: path.to_owned(), arguments, methods: Vec::new() }, path)
    }

    fn of_rust(signature: &Signature, path: &str) -> Result<HostCall, ShimError> {
        let function = checked(path)?;
        let (mut body, mut passed, mut at) = (rust::RUN_THROUGH.to_owned(), Vec::new(), 0);
        for (i, argument) in signature.all_arguments().enumerate() {
            let (prepared, pass) = rust::host_piece(argument, i, &mut at)?;
            body += &prepared;
            passed.push(pass);
        }
        let passed: Vec<&str> = passed.iter().map(String::as_str).collect();
        body += &rust::calls(signature, function, &passed, "{ return }")?;
        body += "    let mut result = Given(result);\n    unsafe fn nothing() {}\n    (&mut result).run_through(nothing, nothing);\n";
        // Or an optimiser might see that nobody wants to know.
        body += "    let _ = ::core::ptr::read_volatile(&&result);\n";
        Ok(HostCall { body, flags: Vec::new() })
    }
}

fn read(call: &str) -> Result<Signature, ShimError> {
    Signature::read(call).ok_or_else(|| ShimError::NotACall { call: call.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::HostCall;

    #[test]
    fn containers_are_made_of_pointers_and_lengths() {
        let body = |call: &str| HostCall::cpp(call, None).map(|call| call.body);
        assert_eq!(
            body("ns::f(const std::string &[n], n)").as_deref(),
            Ok(
                "    std::string v0((const char *)p0, (std::size_t)p1);\n    (void)(::ns::f(v0, p2), slowpath_kept());\n"
            )
        );
        // A long is wider here than on wasm32.
        assert!(body("f(std::vector<long>[n])").is_ok_and(|body| body.contains("std::vector<long> v0(p0, p0 + p1);")));
        assert!(body("f(std::map<int, int>[n])").is_err());
        let rust = |call: &str| HostCall::rust(call, "c::f").map(|call| call.body);
        assert!(rust("f(v: &mut Vec<usize>[n], n)").is_ok_and(|body| body.contains("c::f(&mut v0, p2 as _)")));
        let chain = HostCall::rust("c::P::new(&str[n])?.parse(n)", "c::P::new?.parse").map(|call| call.body);
        assert!(chain.is_ok_and(|body| body.contains("c::P::new(v0);") && body.contains("result.parse(p2 as _);")));
        assert!(rust("f(&str[n]).g;h(n)").is_err());
        assert!(rust("f(&str[n])").is_ok_and(|body| body.contains("from_utf8_unchecked")));
        let declared = |types: &[&str]| {
            let types: Vec<String> = types.iter().map(|ty| (*ty).to_owned()).collect();
            HostCall::rust_declared(&types, "q::f").map(|call| call.body)
        };
        assert!(
            declared(&["&[i32]", "usize"])
                .is_ok_and(|body| body.contains("q::f(v0, v1)") && body.contains("p2 as usize"))
        );
        assert!(declared(&["*mut i32", "usize"]).is_ok_and(|body| body.contains("q::f(p0 as *mut i32, v1)")));
        assert!(declared(&["HashMap<u8, u8>"]).is_err());
    }
}
