//! A module, linked with the host functions it imports.

use std::sync::Arc;

use slowpath_program::World;

use crate::engine::{Linked, Module};
use crate::error::ReplayError;
use crate::host::{HostFunctions, Missing, function};

/// Refuses what nobody provides, by its name.
pub(crate) fn link(module: Arc<dyn Module>, world: &World) -> Result<Box<dyn Linked>, ReplayError> {
    let mut functions = HostFunctions::new();
    for import in module.imports()? {
        let (place, name) = (import.module, import.name);
        let unknown = |kind| ReplayError::UnknownImport { module: place.clone(), field: name.clone(), kind };
        let asked = import.kind.map_err(unknown)?;
        match function(world, &place, &name, &asked) {
            Ok(function) => _ = functions.insert((place, name), function),
            Err(Missing::Unknown) => return Err(unknown("a function")),
            Err(Missing::OtherType) => return Err(ReplayError::ImportType(format!("{place}.{name}"))),
        }
    }
    module.link(functions)
}
