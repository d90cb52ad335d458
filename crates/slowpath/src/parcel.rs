//! A program as bytes, for workers that have neither its sources nor a compiler: the module, what is called in it, and the identity that whoever
//! opens it must come to.

use serde::{Deserialize, Serialize};
use slowpath_program::call::Entry;
use slowpath_program::identity::identity as identity_of;
use slowpath_search::work::{WorkError, identity};

use crate::request::{AnalyzeRequest, EntryRequest};
use crate::subject::Subject;

/// What stands before the module, in a line of its own.
#[derive(Serialize, Deserialize)]
struct Head {
    identity: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    harness: Option<String>,
    /// Functions that are nowhere.
    missing: Vec<String>,
}

/// A program that came as bytes.
pub(crate) struct Parcel {
    pub identity: u64,
    pub entry: EntryRequest,
    pub missing: Vec<String>,
    pub wasm: Vec<u8>,
}

/// The program of a subject as bytes.
pub(crate) fn pack(subject: &Subject, identity: u64) -> Vec<u8> {
    let (call, harness) = match &subject.entry {
        Entry::Call(spec) => (Some(spec.to_string()), None),
        Entry::Harness { name } => (None, Some(name.clone())),
    };
    let head = Head { identity, call, harness, missing: subject.compiled.missing.clone() };
    // It has numbers and texts: nothing to fail.
    let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
    bytes.push(b'\n');
    bytes.extend_from_slice(&subject.compiled.wasm);
    bytes
}

/// A program from bytes; the module is not looked at yet.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Parcel, WorkError> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(WorkError::NotWork)?;
    let head: Head = serde_json::from_slice(&bytes[..end]).map_err(|_| WorkError::NotWork)?;
    let entry = match (head.call, head.harness) {
        (Some(call), None) => EntryRequest::Call(call),
        (None, Some(name)) => EntryRequest::Harness(name),
        _ => return Err(WorkError::Wrong("a program without a call")),
    };
    Ok(Parcel { identity: head.identity, entry, missing: head.missing, wasm: bytes[end + 1..].to_vec() })
}

/// The program of a request as bytes, for an engine.
pub(crate) fn parcel_of(subject: &Subject, request: &AnalyzeRequest) -> Vec<u8> {
    pack(subject, identity_of_work(subject, request))
}

/// A hash of the program and of every setting that makes a difference to its paths.
pub(crate) fn identity_of_work(subject: &Subject, request: &AnalyzeRequest) -> u64 {
    let target = subject.target(request.limits.machine(), request.solver.clone(), request.seed);
    identity(&target, module(subject))
}

/// A hash of the program alone.
pub(crate) fn module(subject: &Subject) -> u64 {
    identity_of(&subject.compiled.wasm).fnv1a
}
