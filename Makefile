# The commands of everyday work. Each one prepares what it needs, so `make demo` on a fresh clone is enough.

.PHONY: setup build demo test bench

# What is needed besides Rust: LLVM 19, wasi-libc, Z3; for the tests a Chromium. Does nothing when all of it is there.
setup:
	@scripts/setup.sh

build: setup
	cargo build --release

# Insertion sort, sizes 1 to 6, on the terminal. Builds the one binary, quickly rather than fast.
demo:
	@scripts/setup.sh demo
	cargo build --profile demo --package slowpath-cli
	target/demo/slowpath analyze examples/isort.c --call 'isort(a: i32[n], n)' --sizes 1..6

# Everything a change must pass.
test: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release -- -D warnings
	cargo test --workspace --release

# Speed, beside stored baselines.
bench: setup
	cargo run --release -p slowpath-bench
