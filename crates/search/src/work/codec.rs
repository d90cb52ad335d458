//! Tasks and results as bytes: with a version, the stamp of what they belong to, and a checksum. What does not fit is refused, whatever it is.

use super::error::WorkError;
use super::explored::Explored;
use super::frontier::Frontier;
use super::tally_codec::{read_tally, write_tally};
use super::wire::{Reader, Writer, checksum};
use slowpath_solver::SolverStats;

/// The first bytes, the last of which is the version: raised whenever older bytes cannot be read any more.
const MAGIC: [u8; 4] = *b"slw\x01";
const TASK: u8 = 1;
const EXPLORED: u8 = 2;
/// What an island is told, and what it comes to: both in words of whoever has islands.
pub const ISLAND: u8 = 3;
pub const RECORDS: u8 = 4;
const CHECKSUM: usize = 8;

/// What work belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// A hash of the module and of every setting that makes a difference.
    pub identity: u64,
    pub size: i64,
    /// A hash of which bytes of the inputs are words: models mean something else with others.
    pub words: u64,
}

/// What is to be done: prefixes to be followed, the first ones first, for an effort.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub frontier: Frontier,
    /// Steps of work after which what is left is given back. One decision more is made in any case.
    pub effort: u64,
    /// Whether what the paths teach is wanted too.
    pub learns: bool,
}

/// A task that came as bytes, and what it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskHeader {
    pub stamp: Stamp,
    pub task: Task,
}

/// A task as bytes.
pub fn encode_task(stamp: &Stamp, task: &Task) -> Vec<u8> {
    let mut writer = open(TASK, stamp);
    writer.number(task.effort);
    writer.byte(u8::from(task.learns));
    task.frontier.write(&mut writer);
    close(writer)
}

/// A task from bytes, for the program of this identity.
pub fn decode_task(bytes: &[u8], identity: u64) -> Result<TaskHeader, WorkError> {
    let (stamp, mut reader) = opened(bytes, TASK)?;
    if stamp.identity != identity {
        return Err(WorkError::OtherProgram);
    }
    let (effort, learns) = (reader.number()?, reader.flag()?);
    let frontier = Frontier::read(&mut reader)?;
    reader.end()?;
    Ok(TaskHeader { stamp, task: Task { frontier, effort, learns } })
}

/// What an exploration came to, as bytes.
pub fn encode_explored(stamp: &Stamp, explored: &Explored) -> Vec<u8> {
    let mut writer = open(EXPLORED, stamp);
    write_tally(&mut writer, &explored.tally);
    writer.length(explored.limits.len());
    for (what, times) in &explored.limits {
        writer.text(what);
        writer.number(*times);
    }
    let stats = &explored.stats;
    for number in [stats.queries, stats.smt_queries, stats.unknown, stats.rejected_models, explored.steps] {
        writer.number(number);
    }
    explored.frontier.write(&mut writer);
    close(writer)
}

/// What an exploration came to, from bytes. The layers of the solver are not part of it.
pub fn decode_explored(bytes: &[u8], stamp: &Stamp) -> Result<Explored, WorkError> {
    let (theirs, mut reader) = opened(bytes, EXPLORED)?;
    if theirs.identity != stamp.identity {
        return Err(WorkError::OtherProgram);
    }
    if theirs.size != stamp.size {
        return Err(WorkError::OtherSize);
    }
    if theirs.words != stamp.words {
        return Err(WorkError::OtherWords);
    }
    let tally = read_tally(&mut reader)?;
    let limits = reader.list(|reader| Ok((reader.text()?, reader.number()?)))?.into_iter().collect();
    let mut number = || reader.number();
    let (queries, smt_queries, unknown) = (number()?, number()?, number()?);
    let (rejected_models, steps) = (number()?, number()?);
    let stats = SolverStats { queries, smt_queries, unknown, rejected_models, ..SolverStats::default() };
    let frontier = Frontier::read(&mut reader)?;
    reader.end()?;
    Ok(Explored { tally, limits, stats, steps, frontier })
}

/// Whether bytes say that they are of a kind, whatever else they are.
pub fn is_of_kind(bytes: &[u8], kind: u8) -> bool {
    bytes.starts_with(&MAGIC) && bytes.get(MAGIC.len()) == Some(&kind)
}

/// Bytes of a kind for the program of this identity, with all that work as bytes has.
pub fn seal(kind: u8, identity: u64, inside: &[u8]) -> Vec<u8> {
    let mut writer = open(kind, &Stamp { identity, size: 0, words: 0 });
    writer.0.extend_from_slice(inside);
    close(writer)
}

/// What was sealed.
pub fn unseal(kind: u8, identity: u64, bytes: &[u8]) -> Result<&[u8], WorkError> {
    let (stamp, reader) = opened(bytes, kind)?;
    if stamp.identity == identity { Ok(reader.0) } else { Err(WorkError::OtherProgram) }
}

fn open(kind: u8, stamp: &Stamp) -> Writer {
    let mut writer = Writer(MAGIC.to_vec());
    writer.byte(kind);
    writer.word(stamp.identity);
    writer.word(stamp.size as u64);
    writer.word(stamp.words);
    writer
}

fn close(mut writer: Writer) -> Vec<u8> {
    let sum = checksum(&writer.0);
    writer.word(sum);
    writer.0
}

fn opened(bytes: &[u8], kind: u8) -> Result<(Stamp, Reader<'_>), WorkError> {
    let (magic, version) = (&MAGIC[..3], MAGIC[3]);
    if !bytes.starts_with(magic) {
        return Err(WorkError::NotWork);
    }
    if bytes.get(3) != Some(&version) {
        return Err(WorkError::OtherVersion);
    }
    let end = bytes.len().checked_sub(CHECKSUM).filter(|end| *end > MAGIC.len()).ok_or(WorkError::Short)?;
    let (body, sum) = bytes.split_at(end);
    if Reader(sum).word()? != checksum(body) {
        return Err(WorkError::Damaged);
    }
    let mut reader = Reader(&body[MAGIC.len()..]);
    if reader.byte()? != kind {
        return Err(WorkError::OtherKind);
    }
    let stamp = Stamp { identity: reader.word()?, size: reader.word()? as i64, words: reader.word()? };
    Ok((stamp, reader))
}
