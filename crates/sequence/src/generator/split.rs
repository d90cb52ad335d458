//! Ways to take the sequence of one size apart.

/// The sequences of several sizes, none of them empty.
pub(crate) type Samples = Vec<(u64, Vec<i128>)>;

/// A difference that may not fit is none that could be a stride.
pub(crate) fn difference(pair: &[i128]) -> Option<i128> {
    pair[1].checked_sub(pair[0])
}

/// The longest runs in which every element is `stride` after the one before.
pub(crate) fn runs(values: &[i128], stride: i128) -> Vec<&[i128]> {
    values.chunk_by(|a, b| b.checked_sub(*a) == Some(stride)).collect()
}

/// Runs of one length, that of the first of [`runs`]: where neighbouring loops happen to continue each other, the
/// longest runs hide where one ends.
pub(crate) fn even_runs(values: &[i128], stride: i128) -> Option<Vec<&[i128]>> {
    let length = runs(values, stride).iter().map(|run| run.len()).min()?;
    let all: Vec<&[i128]> = values.chunks(length).collect();
    let steady = |run: &&[i128]| run.len() == length && run.windows(2).all(|pair| difference(pair) == Some(stride));
    all.iter().all(steady).then_some(all)
}

/// The differences of neighbours, the most frequent first.
pub(crate) fn frequent_differences(values: &[i128]) -> Vec<i128> {
    let mut all: Vec<i128> = values.windows(2).filter_map(difference).collect();
    all.sort_unstable();
    let mut counted: Vec<(usize, i128)> = all.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).collect();
    // Of equally frequent ones the smaller step is the likelier loop.
    counted.sort_by_key(|(count, step)| (std::cmp::Reverse(*count), step.unsigned_abs(), *step));
    counted.into_iter().map(|(_, step)| step).collect()
}

/// How many elements from the left keep one stride.
fn steady_prefix(values: &[i128]) -> usize {
    let Some(stride) = values.get(..2).and_then(difference) else { return values.len() };
    1 + values.windows(2).take_while(|pair| difference(pair) == Some(stride)).count()
}

/// Where the elements to the right end begin to keep one stride.
fn steady_suffix(values: &[i128]) -> usize {
    let length = values.len();
    let Some(stride) = length.checked_sub(2).and_then(|at| difference(&values[at..])) else { return 0 };
    length - 1 - values.windows(2).rev().take_while(|pair| difference(pair) == Some(stride)).count()
}

/// Ways to name the place where a second phase begins. Each gives a place for the sequence of any size.
pub(crate) const PHASES: [fn(u64, &[i128]) -> usize; 15] = [
    |_, _| 1,
    |_, values| values.len().saturating_sub(1),
    |_, values| steady_prefix(values),
    |_, values| steady_suffix(values),
    |_, values| steady_prefix(values).saturating_sub(1),
    |_, values| steady_suffix(values) + 1,
    |_, values| values.len() / 2,
    |_, values| values.len().div_ceil(2),
    |n, _| usize::try_from(n).unwrap_or(usize::MAX),
    |n, _| usize::try_from(n.saturating_sub(1)).unwrap_or(usize::MAX),
    |n, _| usize::try_from(n.saturating_add(1)).unwrap_or(usize::MAX),
    |_, values| 1 + first_largest(values),
    |_, values| first_largest(values),
    |_, _| 2,
    |_, values| values.len().saturating_sub(2),
];

fn first_largest(values: &[i128]) -> usize {
    let largest = values.iter().max();
    values.iter().position(|value| Some(value) == largest).unwrap_or(0)
}

/// The shortest piece that the sequence repeats.
pub(crate) fn period(values: &[i128]) -> usize {
    // The border table of Knuth, Morris and Pratt: linear, where trying all divisors would not be.
    let mut border = vec![0usize; values.len()];
    for at in 1..values.len() {
        let mut length = border[at - 1];
        while length > 0 && values[at] != values[length] {
            length = border[length - 1];
        }
        border[at] = length + usize::from(values[at] == values[length]);
    }
    let shift = values.len() - border.last().copied().unwrap_or(0);
    if shift > 0 && values.len().is_multiple_of(shift) { shift } else { values.len() }
}

/// A pass over growing numbers: where it starts and, if it has two elements, its stride.
pub(crate) struct Pass {
    pub start: i128,
    pub last: i128,
    pub stride: Option<i128>,
}

/// The sequence as passes that each keep a stride and end where the numbers stop growing.
pub(crate) fn passes(values: &[i128]) -> Option<Vec<Pass>> {
    let mut all = Vec::new();
    for run in values.chunk_by(|a, b| a < b) {
        let stride = run.get(..2).and_then(difference);
        if !run.windows(2).all(|pair| difference(pair) == stride) {
            return None;
        }
        all.push(Pass { start: run[0], last: run[run.len() - 1], stride });
    }
    Some(all)
}
