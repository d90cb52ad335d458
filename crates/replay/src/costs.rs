//! A table of costs, as wasmtime takes it.

use slowpath_program::{CostTable, for_each_priced_operator};
use wasmtime::OperatorCost;

/// What the table names, and for everything else what wasmtime charges by itself.
pub(crate) fn operator_cost(table: &CostTable) -> OperatorCost {
    let mut costs = OperatorCost::new();
    macro_rules! set {
        ($($op:ident $name:literal,)*) => {
            $(if let Some(cost) = table.named($name) {
                costs.$op = cost;
            })*
        };
    }
    for_each_priced_operator!(set);
    costs
}
