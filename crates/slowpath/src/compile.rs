//! How a program is compiled, from what a request says of it.

use std::path::PathBuf;

use slowpath_source::{CargoOptions, Shim, Wanted};

use crate::error::Error;
use crate::request::ProgramRequest;

/// The compiler's options for the functions that are wanted.
pub(crate) fn options(
    request: &ProgramRequest,
    wanted: Wanted,
    shim: Option<Shim>,
) -> Result<slowpath_source::Options, Error> {
    let header = |text: &String| match text.split_once('=') {
        Some((name, text)) => Ok((name.to_owned(), text.to_owned())),
        None => {
            let (option, example) = ("--define-header".to_owned(), "'config.h=#define HAVE_STDINT_H 1'".to_owned());
            Err(Error::Option { option, text: text.clone(), example })
        }
    };
    Ok(slowpath_source::Options {
        optimize: request.optimize.clone(),
        extra_flags: request.cflags.clone(),
        more_files: request.options.more_files.iter().map(PathBuf::from).collect(),
        wanted,
        project: request.options.project.as_ref().map(PathBuf::from),
        headers: request.options.headers.iter().map(header).collect::<Result<_, _>>()?,
        cargo: CargoOptions {
            krate: request.options.krate.clone(),
            features: request.options.features.clone(),
            no_default_features: request.options.no_default_features,
            trust_build: request.trust_build,
            fuzz_target: request.options.fuzz_target.clone(),
        },
        shim,
        cache: request.cache.clone(),
        keep: request.keep.clone(),
        timeout: request.compile_limit,
        interrupt: request.interrupt.clone(),
        ..Default::default()
    })
}
