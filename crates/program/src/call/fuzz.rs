//! Fuzzing of the signature parser: arbitrary text must be refused or understood, never crash.

use super::{CallSpec, ElemType, ParamKind};
use crate::val_type::ValType;

/// Reads arbitrary bytes as a signature; evaluates, checks and lays out what parses, and reads its own printing back.
pub fn fuzz_call_parser(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let spec = match CallSpec::parse(&text) {
        Ok(spec) => spec,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let printed = spec.to_string();
    assert_eq!(CallSpec::parse(&printed).as_ref(), Ok(&spec), "{printed}");
    for n in [-1, 0, 1, 2, 7, 100, 1 << 20, i64::MAX] {
        for memory_bytes in [0, 65_536, 1 << 31, 1 << 32, u64::MAX] {
            if let Ok(layout) = spec.layout(n, memory_bytes) {
                assert_eq!(layout.args.len(), spec.params.len());
                let end = (u64::from(layout.first_page) + u64::from(layout.pages)) * 65_536;
                for input in &layout.inputs {
                    let last = input.count.checked_sub(1).and_then(|last| input.element_address(last));
                    if let Some(last) = last {
                        assert!(input.address.is_some_and(|address| u64::from(address) >= memory_bytes));
                        assert!(u64::from(last) + u64::from(input.ty.bytes()) <= end, "{printed}");
                    }
                }
            }
        }
    }
    for ty in [ValType::I32, ValType::I64, ValType::F64] {
        let _ = spec.check(&vec![ty; spec.params.len()]);
    }
    let right: Vec<ValType> = spec
        .params
        .iter()
        .map(|param| match param.kind {
            ParamKind::Scalar(ty) => ty.val_type(),
            _ => ElemType::I32.val_type(),
        })
        .collect();
    assert_eq!(spec.check(&right), Ok(()));
}
