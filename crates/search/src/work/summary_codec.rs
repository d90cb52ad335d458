//! What the paths of a size teach, as bytes.

use slowpath_program::SiteId;

use super::answers::{read_decisions, write_decisions};
use super::error::WorkError;
use super::wire::{Reader, Writer};
use crate::policy::{BranchPolicy, Level, SizeSummary};

const LEVELS: [Level; 3] = [Level::Forbidden, Level::IfForced, Level::Permitted];

pub(super) fn write_summary(writer: &mut Writer, summary: &SizeSummary) {
    writer.word(summary.size as u64);
    writer.option(summary.worst, Writer::number);
    // In an order of their own, so that equal summaries are equal bytes.
    let mut counts: Vec<_> = summary.counts.iter().collect();
    counts.sort();
    writer.length(counts.len());
    for (policy, count) in counts {
        write_policy(writer, policy);
        writer.number(*count);
    }
    writer.length(summary.worst_policies.len());
    summary.worst_policies.iter().for_each(|policy| write_policy(writer, policy));
    writer.length(summary.worst_paths.len());
    summary.worst_paths.iter().for_each(|path| write_decisions(writer, path));
    writer.length(summary.regular_paths.len());
    for (irregular, path) in &summary.regular_paths {
        writer.length(*irregular);
        write_decisions(writer, path);
    }
}

pub(super) fn read_summary(reader: &mut Reader<'_>) -> Result<SizeSummary, WorkError> {
    let (size, worst) = (reader.word()? as i64, reader.option(Reader::number)?);
    let counts = reader.list(|reader| Ok((read_policy(reader)?, reader.number()?)))?.into_iter().collect();
    let worst_policies = reader.list(read_policy)?;
    let worst_paths = reader.list(read_decisions)?;
    let irregular = |reader: &mut Reader<'_>| usize::try_from(reader.number()?).map_err(|_| WorkError::Short);
    let regular_paths = reader.list(|reader| Ok((irregular(reader)?, read_decisions(reader)?)))?;
    Ok(SizeSummary { size, worst, counts, worst_policies, worst_paths, regular_paths })
}

fn write_policy(writer: &mut Writer, policy: &BranchPolicy) {
    writer.length(policy.entries().count());
    for (site, side, level) in policy.entries() {
        writer.number(u64::from(site.0));
        writer.number(u64::from(side));
        writer.byte(level as u8);
    }
}

fn read_policy(reader: &mut Reader<'_>) -> Result<BranchPolicy, WorkError> {
    let entries = reader.list(|reader| {
        let (site, side) = (SiteId(reader.small()?), reader.small()?);
        let level = LEVELS.get(usize::from(reader.byte()?)).copied();
        Ok((site, side, level.ok_or(WorkError::Wrong("an unknown level of a policy"))?))
    })?;
    Ok(BranchPolicy::from_entries(entries))
}
