//! The techniques, a file each.

pub mod adversary;
pub mod all_inputs;
pub mod challenge;
pub mod concrete_evolution;
pub mod few_paths;
pub mod first_inputs;
pub mod insertion;
pub mod law;
pub mod memo;
pub mod path_evolution;
pub mod paths;
pub mod policy;
pub mod pump;
pub mod small_sizes;
pub mod synthesis;
