# The commands of everyday work. Each one prepares what it needs, so `make demo` on a fresh clone is enough.

.PHONY: setup build demo test bench fuzz soak wheel deb dist packages

# What is needed besides Rust: LLVM 19, wasi-libc, Z3; for the tests a Chromium and Python. Does nothing when all of it is there.
setup:
	@scripts/setup.sh

build: setup
	cargo build --release

# Insertion sort, sizes 1 to 6, on the terminal. Builds the one binary, quickly rather than fast: with an interpreter to run inputs again,
# where a release has a compiler.
demo:
	@scripts/setup.sh demo
	cargo build --profile demo --package slowpath-cli --no-default-features --features wasmi,z3
	target/demo/slowpath analyze examples/isort.c --call 'isort(a: i32[n], n)' --sizes 1..6

# Everything a change must pass.
test: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release -- -D warnings
	cargo test --workspace --release

# Speed, beside stored baselines.
bench: setup
	cargo run --release -p slowpath-bench

# Every fuzz body for TIME seconds, with nothing but a stable compiler; a crashing input is left in fuzz/artifacts.
# With cargo-fuzz and a nightly compiler, `cargo +nightly fuzz run TARGET` in fuzz/ has coverage besides.
TIME ?= 60
fuzz: setup
	cargo build --release --workspace
	target/release/slowpath-fuzz all --time $(TIME)

# Random programs of C by every strategy against brute force.
PROGRAMS ?= 200
soak: setup
	cargo build --release --workspace
	target/release/slowpath-soak --programs $(PROGRAMS)

# What others install, in target/packages: a wheel for Python, a Debian package, a tarball; each with what it needs of Z3.
wheel: setup
	cargo build --release --workspace
	scripts/wheel.py --bundle --out target/packages

deb: setup
	cargo build --release --workspace
	scripts/deb.sh

dist: setup
	cargo build --release --workspace
	scripts/dist.sh

# All of them and the crates, each installed where there is nothing else, with a demonstration.
packages: wheel deb dist
	scripts/packages.sh
