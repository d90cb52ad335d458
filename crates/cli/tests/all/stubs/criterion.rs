//! As much of criterion as the benchmark uses: runs everything once. The real one is too much to build in a test.

pub enum BatchSize {
    SmallInput,
}
pub struct BenchmarkId(String);
impl BenchmarkId {
    pub fn new(name: &str, n: i64) -> Self {
        BenchmarkId(format!("{name}/{n}"))
    }
}
pub struct Bencher;
impl Bencher {
    pub fn iter_batched_ref<I, O>(
        &mut self,
        mut make: impl FnMut() -> I,
        mut run: impl FnMut(&mut I) -> O,
        _: BatchSize,
    ) {
        run(&mut make());
    }
}
pub struct Group;
impl Group {
    pub fn bench_with_input<I>(&mut self, id: BenchmarkId, input: &I, mut f: impl FnMut(&mut Bencher, &I)) {
        println!("{}", id.0);
        f(&mut Bencher, input);
    }
    pub fn bench_function(&mut self, id: BenchmarkId, mut f: impl FnMut(&mut Bencher)) {
        println!("{}", id.0);
        f(&mut Bencher);
    }
    pub fn finish(self) {}
}
pub struct Criterion;
impl Criterion {
    pub fn benchmark_group(&mut self, _: &str) -> Group {
        Group
    }
}
#[macro_export]
macro_rules! criterion_group {
    ($name:ident, $f:ident) => {
        fn $name() {
            $f(&mut Criterion)
        }
    };
}
#[macro_export]
macro_rules! criterion_main {
    ($name:ident) => {
        fn main() {
            $name()
        }
    };
}
