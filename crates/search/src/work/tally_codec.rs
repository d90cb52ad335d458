//! A tally as bytes: counts, the worst path, traps with their examples.

use std::collections::BTreeMap;

use slowpath_machine::{Costs, Outcome};
use slowpath_program::call::ElemType;
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_program::{SiteId, Trap};

use super::answers::{read_decisions, write_decisions};
use super::error::WorkError;
use super::summary_codec::{read_summary, write_summary};
use super::wire::{Reader, Writer};
use crate::budget::Stop;
use crate::findings::PathFinding;
use crate::tally::{Found, TRAP_EXAMPLES, Tally};

/// By their place here, which must not change.
const STOPS: [Stop; 10] = [
    Stop::Time,
    Stop::Effort,
    Stop::Paths,
    Stop::Memory,
    Stop::Interrupted,
    Stop::OpenPaths,
    Stop::Generations,
    Stop::KnownOptimum,
    Stop::NothingNew,
    Stop::NothingCostlier,
];
const TRAPS: [Trap; 11] = [
    Trap::Unreachable,
    Trap::DivisionByZero,
    Trap::IntegerOverflow,
    Trap::InvalidConversion,
    Trap::MemoryOutOfBounds,
    Trap::TableOutOfBounds,
    Trap::NullFunction,
    Trap::IndirectCallMismatch,
    Trap::StackOverflow,
    Trap::NullReference,
    Trap::AssumeFailed,
];
const EXIT: u8 = 100;
const MISSING: u8 = 101;
const HOST: u8 = 102;

pub(super) fn write_tally(writer: &mut Writer, tally: &Tally) {
    for number in [tally.paths, tally.worst_paths, tally.cut] {
        writer.number(number);
    }
    writer.option(tally.worst.as_ref(), write_found);
    writer.length(tally.traps.len());
    for ((_, site), (trap, count, examples)) in &tally.traps {
        write_trap(writer, trap);
        writer.option(*site, |writer, site| writer.number(u64::from(site.0)));
        writer.number(*count);
        writer.length(examples.len());
        examples.iter().for_each(|found| write_found(writer, found));
    }
    writer.option(tally.cut_worst.as_ref(), write_path);
    let stop = tally.stop.and_then(|stop| STOPS.iter().position(|known| *known == stop));
    writer.option(stop, |writer, stop| writer.byte(stop as u8));
    writer.option(tally.summary.as_ref(), write_summary);
}

pub(super) fn read_tally(reader: &mut Reader<'_>) -> Result<Tally, WorkError> {
    let (paths, worst_paths, cut) = (reader.number()?, reader.number()?, reader.number()?);
    let worst = reader.option(read_found)?;
    let mut traps = BTreeMap::new();
    for _ in 0..reader.length()? {
        let trap = read_trap(reader)?;
        let site = reader.option(|reader| Ok(SiteId(reader.small()?)))?;
        let count = reader.number()?;
        let mut examples = reader.list(read_found)?;
        examples.truncate(TRAP_EXAMPLES);
        traps.insert((trap.to_string(), site), (trap, count, examples));
    }
    let cut_worst = reader.option(read_path)?;
    let stop = reader.option(Reader::byte)?.map(|stop| STOPS.get(usize::from(stop)).copied());
    let stop = match stop {
        Some(None) => return Err(WorkError::Wrong("an unknown reason to stop")),
        known => known.flatten(),
    };
    let summary = reader.option(read_summary)?;
    Ok(Tally { paths, worst, worst_paths, traps, cut, cut_worst, stop, summary })
}

fn write_found(writer: &mut Writer, found: &Found) {
    writer.number(found.cost);
    write_decisions(writer, &found.decisions);
    write_values(writer, &found.model);
}

fn read_found(reader: &mut Reader<'_>) -> Result<Found, WorkError> {
    Ok(Found { cost: reader.number()?, decisions: read_decisions(reader)?, model: reader.list(Reader::number)? })
}

fn write_values(writer: &mut Writer, values: &[u64]) {
    writer.length(values.len());
    values.iter().for_each(|value| writer.number(*value));
}

fn write_trap(writer: &mut Writer, trap: &Trap) {
    match trap {
        Trap::Exit(code) => {
            writer.byte(EXIT);
            writer.number(u64::from(*code as u32));
        }
        Trap::Missing(name) => {
            writer.byte(MISSING);
            writer.text(name);
        }
        Trap::Host(why) => {
            writer.byte(HOST);
            writer.text(why);
        }
        plain => {
            let place = TRAPS.iter().position(|known| known == plain);
            writer.byte(place.map_or(u8::MAX, |place| place as u8));
        }
    }
}

fn read_trap(reader: &mut Reader<'_>) -> Result<Trap, WorkError> {
    Ok(match reader.byte()? {
        EXIT => Trap::Exit(reader.small()? as i32),
        MISSING => Trap::Missing(reader.text()?),
        HOST => Trap::Host(reader.text()?),
        plain => TRAPS.get(usize::from(plain)).cloned().ok_or(WorkError::Wrong("an unknown trap"))?,
    })
}

/// Only paths that a limit cut short are kept whole: to run such a path again takes as long as the limit.
fn write_path(writer: &mut Writer, path: &PathFinding) {
    writer.number(path.cost);
    path.costs.values().into_iter().for_each(|cost| writer.number(cost));
    writer.byte(u8::from(path.at_least));
    writer.number(path.replay_instructions);
    writer.length(path.input.0.len());
    for input in &path.input.0 {
        writer.text(&input.name);
        let ty = ElemType::ALL.iter().position(|ty| *ty == input.ty);
        writer.byte(ty.map_or(u8::MAX, |ty| ty as u8));
        writer.byte(u8::from(input.scalar));
        write_values(writer, &input.bits);
    }
    write_decisions(writer, &path.decisions);
}

fn read_path(reader: &mut Reader<'_>) -> Result<PathFinding, WorkError> {
    let cost = reader.number()?;
    let mut number = || reader.number();
    let (instructions, branches, decisions) = (number()?, number()?, number()?);
    let (calls, memory, stack) = (number()?, number()?, number()?);
    let (output, heap, custom) = (number()?, number()?, number()?);
    let costs = Costs { instructions, branches, decisions, calls, memory, stack, output, heap, custom };
    let (at_least, replay_instructions) = (reader.flag()?, reader.number()?);
    let inputs = reader.list(|reader| {
        let name = reader.text()?;
        let ty = ElemType::ALL.get(usize::from(reader.byte()?)).copied();
        let ty = ty.ok_or(WorkError::Wrong("an unknown type"))?;
        Ok(NamedInput { name, ty, scalar: reader.flag()?, bits: reader.list(Reader::number)? })
    })?;
    let (outcome, input) = (Outcome::Returned, InputValues(inputs));
    let decisions = read_decisions(reader)?;
    Ok(PathFinding { cost, costs, at_least, replay_instructions, outcome, input, decisions })
}
