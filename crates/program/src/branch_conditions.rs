//! What each branch tests: the comparison its condition comes from, and whether it was turned round on the way.
//!
//! Compilers branch on the opposite of what the source says whenever that saves a jump, and put `x && y` into a local before
//! they branch on it. Here every condition is followed back to the comparison that made it, through locals, `eqz` and
//! joins. What is said holds on every path; where two different comparisons meet, nothing is said.

use std::collections::HashMap;

use wasmparser::{FuncToValidate, FuncValidatorAllocations, FunctionBody, Operator, Parser, ValidPayload, Validator};
use wasmparser::{Payload, ValidatorResources};

use crate::features;

/// Locals followed at a time: keeps hostile functions linear.
const MOST_LOCALS: usize = 64;
/// Nested blocks followed; a state is kept for each.
const DEEPEST: usize = 256;

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A comparison, as it was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Code offset of the instruction.
    pub offset: u32,
    pub relation: Relation,
    pub float: bool,
    /// The operands that are constants.
    pub left: Option<i64>,
    pub right: Option<i64>,
}

/// What a branch goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchCondition {
    /// Side 1 is taken if the comparison holds; with `negated`, if it does not.
    Comparison { comparison: Comparison, negated: bool },
    /// Side 1 is taken if some value is not zero; with `negated`, if it is.
    Value { negated: bool },
}

/// What every `br_if`, `if` and `select` of a module tests, by code offset; a comparison tests itself. Nothing of a module that does not validate.
pub fn branch_conditions(wasm: &[u8]) -> HashMap<u32, BranchCondition> {
    let mut found = HashMap::new();
    let mut validator = Validator::new_with_features(features::supported());
    let mut allocations = FuncValidatorAllocations::default();
    let mut code_start = 0u64;
    for payload in Parser::new(0).parse_all(wasm) {
        let Ok(payload) = payload else { return found };
        if let Payload::CodeSectionStart { unchecked_range, .. } = &payload {
            code_start = unchecked_range.start;
        }
        match validator.payload(&payload) {
            Ok(ValidPayload::Func(function, body)) => {
                allocations = read(function, &body, allocations, code_start, &mut found);
            }
            Ok(_) => {}
            Err(_) => return found,
        }
    }
    found
}

fn read(
    function: FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
    allocations: FuncValidatorAllocations,
    code_start: u64,
    found: &mut HashMap<u32, BranchCondition>,
) -> FuncValidatorAllocations {
    let mut validator = function.into_validator(allocations);
    let mut walk = || -> Result<(), wasmparser::BinaryReaderError> {
        validator.read_locals(&mut body.get_binary_reader())?;
        let mut reader = body.get_operators_reader()?;
        let mut walker = Walker { state: Some(State::default()), blocks: vec![Block::default()], found };
        while !reader.eof() {
            let at = reader.original_position();
            let operator = reader.read()?;
            validator.op(at, &operator)?;
            let height = validator.operand_stack_height() as usize;
            walker.step(at.saturating_sub(code_start) as u32, &operator, height);
        }
        Ok(())
    };
    // An invalid rest of a function says nothing; what was found before it stands.
    let _ = walk();
    validator.into_allocations()
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Origin {
    #[default]
    Unknown,
    /// Some constant; which one, if it is the same on every path.
    Constant(Option<i64>),
    /// The result of a comparison, or a constant where the comparison was not reached.
    Comparison { comparison: Comparison, negated: bool },
    /// `eqz` of something unknown, whose offset this is.
    IsZero { offset: u32 },
    /// Not followed: it may be anything, a constant included.
    Forgotten,
}

impl Origin {
    fn join(self, other: Origin) -> Origin {
        match (self, other) {
            (a, b) if a == b => a,
            (Origin::Constant(_), Origin::Constant(_)) => Origin::Constant(None),
            (test @ (Origin::Comparison { .. } | Origin::IsZero { .. }), Origin::Constant(_))
            | (Origin::Constant(_), test @ (Origin::Comparison { .. } | Origin::IsZero { .. })) => test,
            _ => Origin::Unknown,
        }
    }

    fn eqz(self, offset: u32) -> Origin {
        match self {
            Origin::Comparison { comparison, negated } => Origin::Comparison { comparison, negated: !negated },
            Origin::Constant(value) => Origin::Constant(value.map(|v| i64::from(v == 0))),
            // Twice turned round: whether the value is not zero.
            Origin::IsZero { offset } => {
                let comparison = Comparison { relation: Relation::Ne, ..equals_zero(offset) };
                Origin::Comparison { comparison, negated: false }
            }
            Origin::Unknown | Origin::Forgotten => Origin::IsZero { offset },
        }
    }

    fn known(self) -> BranchCondition {
        match self {
            Origin::Comparison { comparison, negated } => BranchCondition::Comparison { comparison, negated },
            Origin::IsZero { offset } => {
                BranchCondition::Comparison { comparison: equals_zero(offset), negated: false }
            }
            Origin::Unknown | Origin::Forgotten | Origin::Constant(_) => BranchCondition::Value { negated: false },
        }
    }
}

fn equals_zero(offset: u32) -> Comparison {
    Comparison { offset, relation: Relation::Eq, float: false, left: None, right: Some(0) }
}

/// What is known at one point of a function.
#[derive(Clone, Default, Debug)]
struct State {
    stack: Vec<Origin>,
    locals: Vec<(u32, Origin)>,
}

impl State {
    fn local(&self, index: u32) -> Origin {
        self.locals.iter().find(|(local, _)| *local == index).map_or(Origin::Unknown, |(_, origin)| *origin)
    }

    fn set_local(&mut self, index: u32, origin: Origin) {
        self.locals.retain(|(local, _)| *local != index);
        if origin != Origin::Unknown && self.locals.len() < MOST_LOCALS {
            self.locals.push((index, origin));
        }
    }

    fn join(&mut self, other: &State) {
        for (local, origin) in &mut self.locals {
            *origin = origin.join(other.local(*local));
        }
        self.locals.retain(|(_, origin)| *origin != Origin::Unknown);
    }
}

/// An open block.
#[derive(Default)]
struct Block {
    is_loop: bool,
    /// What holds at its end, from the branches seen so far.
    at_end: Option<State>,
    /// What held where an `if` began, for its `else`.
    at_start: Option<State>,
}

struct Walker<'f> {
    /// `None` where the code is not reached.
    state: Option<State>,
    blocks: Vec<Block>,
    found: &'f mut HashMap<u32, BranchCondition>,
}

impl Walker<'_> {
    /// `height` is that of the operand stack after the instruction.
    fn step(&mut self, offset: u32, operator: &Operator<'_>, height: usize) {
        use Operator as O;
        if matches!(operator, O::BrIf { .. } | O::If { .. } | O::Select | O::TypedSelect { .. })
            && let Some(state) = &self.state
        {
            let condition = state.stack.last().copied().unwrap_or_default();
            self.found.insert(offset, condition.known());
        }
        self.effect(offset, operator, height);
        if relation(operator).is_some()
            && let Some(Origin::Comparison { comparison, negated }) = self.state.as_ref().and_then(|s| s.stack.last())
        {
            self.found.insert(offset, BranchCondition::Comparison { comparison: *comparison, negated: *negated });
        }
    }

    fn effect(&mut self, offset: u32, operator: &Operator<'_>, height: usize) {
        use Operator as O;
        match operator {
            O::Block { .. } | O::Loop { .. } | O::If { .. } => self.open(operator),
            O::Else => self.otherwise(),
            O::End => self.close(),
            O::Br { relative_depth } => {
                self.leave(*relative_depth);
                self.state = None;
            }
            O::BrIf { relative_depth } => self.leave(*relative_depth),
            O::BrTable { targets } => {
                // A table may name a label very often; each label once is enough, and the rest says nothing new.
                let mut labels: Vec<u32> = targets.targets().flatten().chain([targets.default()]).collect();
                labels.sort_unstable();
                labels.dedup();
                labels.into_iter().for_each(|label| self.leave(label));
                self.state = None;
            }
            O::Return | O::Unreachable | O::ReturnCall { .. } | O::ReturnCallIndirect { .. } => self.state = None,
            _ => {}
        }
        if let Some(state) = &mut self.state {
            if !is_control(operator) {
                compute(state, offset, operator, height);
            }
            state.stack.resize(height, Origin::Forgotten);
        }
    }

    fn open(&mut self, operator: &Operator<'_>) {
        let is_loop = matches!(operator, Operator::Loop { .. });
        let mut block = Block { is_loop, ..Block::default() };
        if let Some(state) = &mut self.state {
            // Around a loop anything may have changed.
            if is_loop || self.blocks.len() >= DEEPEST {
                state.locals.clear();
            }
            state.stack.fill(Origin::Forgotten);
            if matches!(operator, Operator::If { .. }) {
                block.at_start = Some(state.clone());
            }
        }
        self.blocks.push(block);
    }

    fn otherwise(&mut self) {
        self.leave(0);
        self.state = self.blocks.last_mut().and_then(|block| block.at_start.take());
    }

    fn close(&mut self) {
        // An `if` without `else` may have been passed over.
        let passed = self.blocks.last_mut().and_then(|block| block.at_start.take());
        self.merge(0, passed);
        if let Some(block) = self.blocks.last_mut() {
            block.is_loop = false;
        }
        self.leave(0);
        self.state = self.blocks.pop().and_then(|block| block.at_end);
    }

    /// A branch to the end of a block takes along what is known.
    fn leave(&mut self, depth: u32) {
        self.merge(depth, self.state.clone());
    }

    fn merge(&mut self, depth: u32, state: Option<State>) {
        let Some(mut state) = state else { return };
        let Some(index) = self.blocks.len().checked_sub(1 + depth as usize) else { return };
        let block = &mut self.blocks[index];
        if block.is_loop {
            return;
        }
        state.stack.clear();
        match &mut block.at_end {
            Some(known) => known.join(&state),
            None => block.at_end = Some(state),
        }
    }
}

/// What changes the flow of control, or calls: no value is followed through.
fn is_control(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::Block { .. } | O::Loop { .. } | O::If { .. } | O::Else | O::End | O::Call { .. } | O::CallIndirect { .. }
    )
}

/// What takes values and leaves none.
fn leaves_nothing(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::Nop
            | O::Drop
            | O::BrIf { .. }
            | O::GlobalSet { .. }
            | O::I32Store { .. }
            | O::I64Store { .. }
            | O::F32Store { .. }
            | O::F64Store { .. }
            | O::I32Store8 { .. }
            | O::I32Store16 { .. }
            | O::I64Store8 { .. }
            | O::I64Store16 { .. }
            | O::I64Store32 { .. }
            | O::MemoryCopy { .. }
            | O::MemoryFill { .. }
            | O::MemoryInit { .. }
            | O::DataDrop { .. }
            | O::TableSet { .. }
            | O::TableCopy { .. }
            | O::TableFill { .. }
            | O::TableInit { .. }
            | O::ElemDrop { .. }
    )
}

/// The effect of one instruction on what is known.
fn compute(state: &mut State, offset: u32, operator: &Operator<'_>, height: usize) {
    use Operator as O;
    let stack = &mut state.stack;
    match operator {
        O::I32Const { value } => stack.push(Origin::Constant(Some(i64::from(*value)))),
        O::I64Const { value } => stack.push(Origin::Constant(Some(*value))),
        O::LocalGet { local_index } => {
            let origin = state.local(*local_index);
            state.stack.push(origin);
        }
        O::LocalSet { local_index } => {
            let origin = stack.pop().unwrap_or_default();
            state.set_local(*local_index, origin);
        }
        O::LocalTee { local_index } => {
            let origin = stack.last().copied().unwrap_or_default();
            state.set_local(*local_index, origin);
        }
        O::I32Eqz | O::I64Eqz => {
            let origin = stack.pop().unwrap_or_default();
            stack.push(origin.eqz(offset));
        }
        // `x & 1` of a flag is the flag.
        O::I32And => {
            let pair = (stack.pop().unwrap_or_default(), stack.pop().unwrap_or_default());
            stack.push(match pair {
                (Origin::Constant(Some(1)), flag @ (Origin::Comparison { .. } | Origin::IsZero { .. })) => flag,
                _ => Origin::Unknown,
            });
        }
        _ => match relation(operator) {
            Some((relation, float)) => {
                let (right, left) = (stack.pop().unwrap_or_default(), stack.pop().unwrap_or_default());
                stack.push(compare(offset, relation, float, left, right));
            }
            None if leaves_nothing(operator) => {}
            // Everything else takes some values and leaves one.
            None => {
                stack.truncate(height.saturating_sub(1));
                stack.push(Origin::Unknown);
            }
        },
    }
}

fn compare(offset: u32, relation: Relation, float: bool, left: Origin, right: Origin) -> Origin {
    let constant = |origin| match origin {
        Origin::Constant(value) => value,
        _ => None,
    };
    if [left, right].iter().any(|origin| matches!(origin, Origin::Forgotten | Origin::Constant(None))) {
        return Origin::Unknown;
    }
    let comparison = Comparison { offset, relation, float, left: constant(left), right: constant(right) };
    Origin::Comparison { comparison, negated: false }
}

fn relation(operator: &Operator<'_>) -> Option<(Relation, bool)> {
    use Operator as O;
    use Relation::{Eq, Ge, Gt, Le, Lt, Ne};
    Some(match operator {
        O::I32Eq | O::I64Eq => (Eq, false),
        O::I32Ne | O::I64Ne => (Ne, false),
        O::I32LtS | O::I32LtU | O::I64LtS | O::I64LtU => (Lt, false),
        O::I32LeS | O::I32LeU | O::I64LeS | O::I64LeU => (Le, false),
        O::I32GtS | O::I32GtU | O::I64GtS | O::I64GtU => (Gt, false),
        O::I32GeS | O::I32GeU | O::I64GeS | O::I64GeU => (Ge, false),
        O::F32Eq | O::F64Eq => (Eq, true),
        O::F32Ne | O::F64Ne => (Ne, true),
        O::F32Lt | O::F64Lt => (Lt, true),
        O::F32Le | O::F64Le => (Le, true),
        O::F32Gt | O::F64Gt => (Gt, true),
        O::F32Ge | O::F64Ge => (Ge, true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{BranchCondition, Relation, branch_conditions};

    /// The branches of a function's body in order: relation, constant on the right, negated; `None` for a plain value.
    fn branches(body: &str) -> Vec<Option<(Relation, Option<i64>, bool)>> {
        let text = format!("(module (memory 1) (func $f (param i32 i32) (local i32) {body}))");
        let found = branch_conditions(&wat::parse_str(text).unwrap());
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(offset, _)| *offset);
        let shown = |condition| match condition {
            BranchCondition::Comparison { comparison, negated } => {
                Some((comparison.relation, comparison.right, negated))
            }
            BranchCondition::Value { .. } => None,
        };
        let itself = |offset: u32, condition: &BranchCondition| matches!(condition, BranchCondition::Comparison { comparison, .. } if comparison.offset == offset);
        found
            .into_iter()
            .filter(|(at, condition)| !itself(*at, condition))
            .map(|(_, condition)| shown(condition))
            .collect()
    }

    #[test]
    fn a_comparison_is_found_and_eqz_turns_it_round() {
        let compare = "local.get 0 local.get 1 i32.gt_s";
        assert_eq!(branches(&format!("(block {compare} br_if 0)")), [Some((Relation::Gt, None, false))]);
        assert_eq!(branches(&format!("(block {compare} i32.eqz br_if 0)")), [Some((Relation::Gt, None, true))]);
        assert_eq!(
            branches(&format!("(block {compare} i32.eqz i32.eqz br_if 0)")),
            [Some((Relation::Gt, None, false))]
        );
    }

    #[test]
    fn constants_survive_loads_and_stores_in_between() {
        let body = "(block i32.const 6 local.get 0 i32.load i32.lt_s br_if 0)";
        let Some((Relation::Lt, None, false)) = branches(body)[0] else { panic!("{:?}", branches(body)) };
        let body = "(block local.get 0 i32.const 0 i32.const 1 i32.store i32.const 6 i32.ge_s br_if 0)";
        assert_eq!(branches(body), [Some((Relation::Ge, Some(6), false))]);
    }

    #[test]
    fn a_flag_joined_with_a_constant_is_still_the_comparison() {
        // x > 0 && x < y, through a local.
        let body = "(loop (block (block local.get 0 i32.const 0 i32.gt_s br_if 0 i32.const 0 local.set 2 br 1)
            local.get 0 local.get 1 i32.lt_s local.set 2) (block local.get 2 i32.eqz br_if 0))";
        let expected = [Some((Relation::Gt, Some(0), false)), Some((Relation::Lt, None, true))];
        assert_eq!(branches(body), expected);
    }

    #[test]
    fn where_two_comparisons_meet_nothing_is_said() {
        let body = "(if (local.get 0) (then local.get 0 local.get 1 i32.lt_s local.set 2)
            (else local.get 0 local.get 1 i32.gt_s local.set 2)) (block local.get 2 br_if 0)";
        assert_eq!(branches(body), [None, None]);
    }

    #[test]
    fn what_held_before_a_loop_is_not_believed_inside() {
        let body =
            "local.get 0 local.get 1 i32.lt_s local.set 2 (loop (block local.get 2 br_if 0) local.get 0 local.set 2)";
        assert_eq!(branches(body), [None]);
    }

    #[test]
    fn an_if_without_else_keeps_only_what_holds_either_way() {
        let body = "local.get 0 local.get 1 i32.lt_s local.set 2 (if (local.get 0) (then local.get 1 local.set 2))
            (block local.get 2 br_if 0)";
        assert_eq!(branches(body), [None, None]);
    }

    #[test]
    fn bytes_that_are_no_module_give_nothing() {
        assert!(branch_conditions(b"not wasm").is_empty());
    }
}
