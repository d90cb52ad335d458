//! A second form of a function's code, for stretches in which every value is a plain number.
//!
//! There is one dense instruction for each flat one, at the same place. It does what the flat one there does, or what that one and the
//! ones after it do (`fuse.rs`); what those stand for stays where it was, so that a jump into their middle, or whoever
//! has to stop between them, goes on there. So nothing is renumbered: sites, lines and costs are those of the flat code.
//!
//! What has no dense form is [`Op::Other`]: whoever runs dense code does that one instruction by the flat code.

mod fuse;
mod instr;
mod pairs;

use crate::code::Instr;

pub use instr::{Dense, Op};

/// Registers that a dense instruction can name. Functions with more have no dense code.
pub const REGISTERS: usize = 256;

/// The dense form of the code of a function with so many registers; nothing where they are too many.
pub(crate) fn make(code: &[Instr], registers: u32) -> Box<[Dense]> {
    if registers as usize > REGISTERS {
        return Box::default();
    }
    (0..code.len()).map(|pc| fuse::at(code, pc)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Dense, Instr, Op, make};

    fn dense(code: Vec<Instr>) -> Vec<Dense> {
        make(&code, 8).into_vec()
    }

    #[test]
    fn an_instruction_is_sixteen_bytes() {
        assert_eq!(std::mem::size_of::<Dense>(), 16);
    }

    #[test]
    fn what_was_fused_stays_where_it_was() {
        let made = dense(vec![
            Instr::I32AddImm { d: 1, a: 1, imm: 1 },
            Instr::Br { cost: 3, target: 0 },
            Instr::MemoryCopy { at: 2 },
        ]);
        let ops: Vec<Op> = made.iter().map(|i| i.op).collect();
        assert_eq!(ops, [Op::AddIBr, Op::Br, Op::Other]);
        assert_eq!((made[0].d, made[0].a, made[0].imm, made[0].d2, made[0].imm2), (1, 1, 1, 3, 0));
    }

    #[test]
    fn what_does_not_fit_is_left_to_the_flat_code() {
        let made = dense(vec![Instr::Br { cost: 256, target: 0 }, Instr::Br { cost: 255, target: 0 }]);
        assert_eq!((made[0].op, made[1].op), (Op::Other, Op::Br));
        assert!(make(&[Instr::Copy { d: 256, a: 0 }], 257).is_empty());
    }

    #[test]
    fn a_constant_beyond_a_byte_is_not_compared_with_in_a_fused_branch() {
        let compare = |imm| {
            let branch = Instr::BrI32LtSImm { cost: 1, a: 1, imm, target: 7 };
            dense(vec![Instr::Copy { d: 1, a: 2 }, branch])[0].op
        };
        assert_eq!((compare(127), compare(-128), compare(128)), (Op::CopyLtSI, Op::CopyLtSI, Op::Copy));
    }

    #[test]
    fn a_byte_goes_into_a_hash_at_once() {
        let hash = |mask_at| {
            dense(vec![
                Instr::I32ShrU { d: 6, a: 3, b: 1 },
                Instr::I32AndImm { d: mask_at, a: 6, imm: 255 },
                Instr::I32Xor { d: 5, a: 2, b: mask_at },
                Instr::I32MulImm { d: 2, a: 5, imm: 31 },
            ])[0]
        };
        let made = hash(6);
        assert_eq!(made.op, Op::ShrUAndIXorMulI);
        assert_eq!([made.d, made.a, made.b, made.d2, made.a2, made.b2], [6, 3, 1, 5, 2, 2]);
        assert_eq!((made.imm, made.imm2), (255, 31));
        assert_eq!(hash(7).op, Op::ShrUAndI, "the byte goes elsewhere");
    }

    #[test]
    fn the_end_of_a_loop_is_one_with_its_test() {
        let made = dense(vec![
            Instr::BrI32LtSImm { cost: 7, a: 1, imm: 1000, target: 4 },
            Instr::Return { cost: 0 },
            Instr::I32AddImm { d: 1, a: 1, imm: 8 },
            Instr::Br { cost: 15, target: 0 },
        ]);
        assert_eq!((made[2].op, made[2].d2, made[2].imm2), (Op::AddIBrLtSI, 15, 0));
        assert_eq!((made[0].op, made[3].op), (Op::BrI32LtSImm, Op::Br));
    }

    #[test]
    fn an_element_is_loaded_at_once() {
        let element = |t, u| {
            let shift = Instr::I32ShlImm { d: t, a: 1, imm: 2 };
            let base = Instr::I32AddImm { d: u, a: t, imm: 1024 };
            dense(vec![shift, base, Instr::Load32U { width: 32, d: 3, addr: u, offset: 8 }])[0]
        };
        let made = element(4, 4);
        assert_eq!((made.op, made.d, made.a, made.b), (Op::LoadElement32, 4, 1, 2));
        assert_eq!((made.imm, made.d2, made.imm2), (1024, 3, 8));
        assert_eq!(element(4, 5).op, Op::ShlIAddI, "the sum goes elsewhere");
        let copied = dense(vec![
            Instr::Copy { d: 5, a: 6 },
            Instr::I32ShlImm { d: 4, a: 5, imm: 2 },
            Instr::I32AddImm { d: 4, a: 4, imm: 1024 },
            Instr::Load32U { width: 32, d: 3, addr: 4, offset: 8 },
        ])[0];
        assert_eq!((copied.op, copied.b2, copied.a2), (Op::CopyLoadElement32, 5, 6));
        assert_eq!(Dense { op: made.op, a: 1, a2: 0, b2: 0, ..copied }, made);
    }
}
