//! Tasks, results and journals under any bytes: refused, or read and written again as they are.

use slowpath::work::{DEFAULT_EFFORT, Work};
use slowpath::{AnalyzeRequest, EntryRequest, Strategy};

use crate::fuzzing::Target;

pub const TARGET: Target = Target { name: "work", body, seeds, dictionary: include_str!("../../data/findings.dict") };

/// Any identity will do, since what is behind it is not looked at.
const IDENTITY: u64 = 0x0807_0605_0403_0201;
/// What comes before the identity, and the checksum at the end.
const HEADER: usize = 5;
const CHECKSUM: usize = 8;

/// The bytes as they are, and with an identity and a checksum that fit, so that what is inside is looked at too.
pub fn body(data: &[u8]) -> bool {
    let mut fitting = data.to_vec();
    if let Some(end) = data.len().checked_sub(CHECKSUM).filter(|end| *end >= HEADER + 24) {
        fitting[HEADER..HEADER + 8].copy_from_slice(&IDENTITY.to_le_bytes());
        fitting[HEADER + 8..HEADER + 16].copy_from_slice(&4_u64.to_le_bytes());
        fitting[HEADER + 16..HEADER + 24].fill(0);
        let sum = fitting[..end].iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        fitting[end..].copy_from_slice(&sum.to_le_bytes());
    }
    let plain = slowpath::work::fuzz_work(data, IDENTITY);
    slowpath::work::fuzz_work(&fitting, IDENTITY) || plain || slowpath::fuzz_journal(data)
}

/// The first task of a sort, what it came to after a while, an island of it with its records, and a journal.
pub fn seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("isort.wasm");
    std::fs::write(&file, include_bytes!("../../data/isort-dwarf5.wasm")).expect("it can be written");
    let request = AnalyzeRequest::new(&file, EntryRequest::Call("isort(a: i32[n], n)".into()));
    let work = Work::open(&request).expect("a module of ours");
    let (short, whole) = (work.first_task(4, 3_000), work.first_task(4, DEFAULT_EFFORT));
    let (short, whole) = (short.expect("a task"), whole.expect("a task"));
    let results = [&short, &whole].map(|task| work.slice(task).expect("a result"));
    let island = work.island(Strategy::Mutate, 1, 100_000);
    let records = work.slice(&island).expect("records");
    let journal = include_bytes!("../../data/work-journal.json").to_vec();
    vec![short, results[0].clone(), results[1].clone(), island, records, journal]
}
