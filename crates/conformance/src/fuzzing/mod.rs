//! Fuzz bodies: each takes any bytes and panics where something promised does not hold. cargo-fuzz runs them (`fuzz/`), so does
//! `slowpath-fuzz` on a machine without it, and the ordinary tests run each for a moment.

pub mod data;
pub mod driver;
pub mod findings;
pub mod layers;
pub mod loader;
pub mod machine;
pub mod memo;
pub mod mutate;
pub mod policy;
pub mod signature;
pub mod terms;
pub mod toml;
pub mod work;

/// One body, and what makes good inputs for it.
pub struct Target {
    pub name: &'static str,
    /// Tells whether the bytes got past the front door.
    pub body: fn(&[u8]) -> bool,
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that inputs are made of, in AFL's format.
    pub dictionary: &'static str,
}

/// All bodies.
pub const TARGETS: [Target; 10] = [
    loader::TARGET,
    signature::TARGET,
    toml::TARGET,
    findings::TARGET,
    policy::TARGET,
    terms::TARGET,
    layers::TARGET,
    machine::TARGET,
    memo::TARGET,
    work::TARGET,
];

/// The body of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
