//! Which engines there are.

/// The engines that are built in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineKind {
    #[cfg(feature = "wasmtime")]
    Wasmtime,
    #[cfg(feature = "wasmi")]
    Wasmi,
}

impl Default for EngineKind {
    /// The fastest.
    fn default() -> EngineKind {
        #[cfg(feature = "wasmtime")]
        return EngineKind::Wasmtime;
        #[cfg(not(feature = "wasmtime"))]
        return EngineKind::Wasmi;
    }
}

impl EngineKind {
    /// All that are built in.
    pub const ALL: &[EngineKind] = &[
        #[cfg(feature = "wasmtime")]
        EngineKind::Wasmtime,
        #[cfg(feature = "wasmi")]
        EngineKind::Wasmi,
    ];

    /// What its makers call it.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "wasmtime")]
            EngineKind::Wasmtime => "wasmtime",
            #[cfg(feature = "wasmi")]
            EngineKind::Wasmi => "wasmi",
        }
    }

    /// How many times as long as on wasmtime an instruction takes, about: for what is estimated before a run.
    pub fn slowness(self) -> u64 {
        match self {
            #[cfg(feature = "wasmtime")]
            EngineKind::Wasmtime => 1,
            #[cfg(feature = "wasmi")]
            EngineKind::Wasmi => 8,
        }
    }
}
