//! Random modules that compute: wasm-smith's modules are valid but mostly trap or loop at once, these nearly always return.
//!
//! Addresses and indices are masked, loops have counters, divisors are mostly not zero. Values flow through locals, memory,
//! globals, tables and calls, so that a wrong register anywhere shows in the results.

use std::fmt::Write;

use crate::rng::Rng;

const TYPES: [&str; 4] = ["i32", "i64", "f32", "f64"];

/// One function of the module: what others need to call it.
struct Signature {
    params: Vec<usize>,
    results: Vec<usize>,
}

struct Weaver {
    rng: Rng,
    size: Size,
    out: String,
    functions: Vec<Signature>,
    /// Types of the locals of the function being made; parameters first.
    locals: Vec<usize>,
    results: Vec<usize>,
    /// How many blocks are open.
    labels: usize,
    /// Locals that count loops and must not be set by anything else.
    counters: usize,
    loops: usize,
}

/// How large a module is. Counts are drawn from the first number on, below the sum of both.
struct Size {
    functions: [u64; 2],
    statements: [u64; 2],
    depth: u32,
}

const USUAL: Size = Size { functions: [2, 4], statements: [3, 8], depth: 3 };
const SMALL: Size = Size { functions: [1, 2], statements: [1, 3], depth: 2 };

/// The module of a seed, as text.
pub fn module(seed: u64) -> String {
    of_size(seed, USUAL)
}

/// A module of a seed that compiles in a moment, as text.
pub fn small_module(seed: u64) -> String {
    of_size(seed, SMALL)
}

fn of_size(seed: u64, size: Size) -> String {
    let mut weaver = Weaver {
        rng: Rng::new(seed),
        size,
        out: String::new(),
        functions: Vec::new(),
        locals: Vec::new(),
        results: Vec::new(),
        labels: 0,
        counters: 0,
        loops: 0,
    };
    weaver.module()
}

/// Locals kept for loop counters, at the end.
const COUNTERS: usize = 3;

impl Weaver {
    fn module(&mut self) -> String {
        let bytes: String = (0..64).map(|_| format!("\\{:02x}", self.rng.below(256))).collect();
        let _ = write!(
            self.out,
            "(module (memory (export \"memory\") 1 3) (data (i32.const 1000) \"{bytes}\") (data $passive \"{bytes}\")\n\
             (table $t (export \"table\") 8 16 funcref)\n\
             (global $g0 (export \"g0\") (mut i32) (i32.const 7)) (global $g1 (export \"g1\") (mut i64) (i64.const -9))\n\
             (global $g2 (export \"g2\") (mut f32) (f32.const 0.5)) (global $g3 (export \"g3\") (mut f64) (f64.const 1e3))\n"
        );
        let [least, more] = self.size.functions;
        let count = (least + self.rng.below(more)) as usize;
        for i in 0..count {
            self.function(i);
        }
        let names: String = (0..count).map(|i| format!(" $f{i}")).collect();
        let _ = write!(self.out, "(elem (table $t) (i32.const 1) func{names}))");
        std::mem::take(&mut self.out)
    }

    fn types(&mut self, most: u64) -> Vec<usize> {
        (0..self.rng.below(most + 1)).map(|_| self.rng.below(4) as usize).collect()
    }

    fn function(&mut self, number: usize) {
        let (params, results) = (self.types(4), self.types(3));
        self.locals = params.clone();
        let extra: Vec<usize> = (0..4 + self.rng.below(3) as usize).map(|i| i % 4).collect();
        self.locals.extend(&extra);
        self.locals.extend([0; COUNTERS]);
        self.results = results.clone();
        self.labels = 0;
        self.counters = 0;
        let list = |types: &[usize]| types.iter().map(|t| TYPES[*t]).collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            self.out,
            "(func $f{number} (export \"f{number}\") (param {}) (result {}) (local {}) (local {})",
            list(&params),
            list(&results),
            list(&extra),
            list(&[0; COUNTERS])
        );
        let mut body = String::new();
        let ([least, more], depth) = (self.size.statements, self.size.depth);
        for _ in 0..least + self.rng.below(more) {
            body += &self.statement(depth);
        }
        for ty in results.clone() {
            body += &self.expr(ty, depth);
        }
        self.out += &body;
        self.out += ")\n";
        self.functions.push(Signature { params, results });
    }

    /// A local of a type, not a counter.
    fn local(&mut self, ty: usize) -> Option<usize> {
        let usable = self.locals.len() - COUNTERS;
        let fitting: Vec<usize> = (0..usable).filter(|i| self.locals[*i] == ty).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.rng.below(fitting.len() as u64) as usize]) }
    }

    fn constant(&mut self, ty: usize) -> String {
        let any = self.rng.next_u64();
        let small = self.rng.below(3) > 0;
        match ty {
            0 if small => format!("(i32.const {})", any as i32 % 100),
            0 => format!("(i32.const {})", any as i32),
            1 if small => format!("(i64.const {})", any as i64 % 100),
            1 => format!("(i64.const {})", any as i64),
            2 => {
                ["(f32.const 0)", "(f32.const -1.5)", "(f32.const inf)", "(f32.const 3e9)", "(f32.const nan:0x200001)"]
                    [any as usize % 5]
                    .to_owned()
            }
            _ => ["(f64.const -0)", "(f64.const 2.5)", "(f64.const -inf)", "(f64.const 1e19)", "(f64.const nan:0x1)"]
                [any as usize % 5]
                .to_owned(),
        }
    }

    fn address(&mut self, depth: u32) -> String {
        let mask = [7, 63, 2047, 65_535][self.rng.below(4) as usize];
        format!("(i32.and {} (i32.const {mask}))", self.expr(0, depth))
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    /// An expression of a type.
    fn expr(&mut self, ty: usize, depth: u32) -> String {
        if depth == 0 || self.rng.below(6) == 0 {
            let local = self.local(ty);
            return match (local, self.rng.below(3)) {
                (Some(local), 0 | 1) => format!("(local.get {local})"),
                _ => self.constant(ty),
            };
        }
        let t = TYPES[ty];
        let d = depth - 1;
        match self.rng.below(14) {
            0..=3 => self.binary(ty, d),
            4 => self.unary(ty, d),
            5 => self.conversion(ty, d),
            6 if ty == 0 => self.comparison(d),
            6 => format!("(select {} {} {})", self.expr(ty, d), self.expr(ty, d), self.expr(0, d)),
            7 => {
                let offset = self.pick(&["", "offset=1", "offset=1021", "offset=4"]);
                let load = match ty {
                    0 => self.pick(&["i32.load", "i32.load8_s", "i32.load8_u", "i32.load16_s", "i32.load16_u"]),
                    1 => self.pick(&["i64.load", "i64.load8_u", "i64.load16_s", "i64.load32_s", "i64.load32_u"]),
                    2 => "f32.load",
                    _ => "f64.load",
                };
                format!("({load} {offset} {})", self.address(d))
            }
            8 => format!("(global.get $g{ty})"),
            9 => {
                // The tee comes while the old value may still wait on the stack.
                match self.local(ty) {
                    Some(local) => format!("(local.tee {local} {})", self.expr(ty, d)),
                    None => self.constant(ty),
                }
            }
            10 => {
                let condition = self.expr(0, d);
                self.labels += 1;
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                self.labels -= 1;
                format!("(if (result {t}) {condition} (then {a}) (else {b}))")
            }
            11 => self.block(ty, d),
            12 => self.swap(ty, d),
            _ => self.call(ty, d).unwrap_or_else(|| self.constant(ty)),
        }
    }

    fn binary(&mut self, ty: usize, d: u32) -> String {
        let t = TYPES[ty];
        let (a, b) = (self.expr(ty, d), self.expr(ty, d));
        if ty >= 2 {
            let op = self.pick(&["add", "sub", "mul", "div", "min", "max", "copysign"]);
            return format!("({t}.{op} {a} {b})");
        }
        let op = self.pick(&[
            "add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr", "div_s", "div_u",
            "rem_s", "rem_u",
        ]);
        // A divisor that is odd is not zero.
        let b = if op.starts_with("div") || op.starts_with("rem") { format!("({t}.or {b} ({t}.const 1))") } else { b };
        format!("({t}.{op} {a} {b})")
    }

    fn unary(&mut self, ty: usize, d: u32) -> String {
        let op = match ty {
            0 => self.pick(&["clz", "ctz", "popcnt", "eqz", "extend8_s", "extend16_s"]),
            1 => self.pick(&["clz", "ctz", "popcnt", "extend8_s", "extend16_s", "extend32_s"]),
            _ => self.pick(&["neg", "abs", "sqrt", "ceil", "floor", "trunc", "nearest"]),
        };
        format!("({}.{op} {})", TYPES[ty], self.expr(ty, d))
    }

    fn conversion(&mut self, ty: usize, d: u32) -> String {
        let (op, from) = match ty {
            0 => [
                ("i32.wrap_i64", 1),
                ("i32.trunc_sat_f32_s", 2),
                ("i32.trunc_sat_f64_u", 3),
                ("i32.reinterpret_f32", 2),
                ("i64.eqz", 1),
            ][self.rng.below(5) as usize],
            1 => [
                ("i64.extend_i32_s", 0),
                ("i64.extend_i32_u", 0),
                ("i64.trunc_sat_f64_s", 3),
                ("i64.trunc_sat_f32_u", 2),
                ("i64.reinterpret_f64", 3),
            ][self.rng.below(5) as usize],
            2 => [
                ("f32.demote_f64", 3),
                ("f32.convert_i32_s", 0),
                ("f32.convert_i64_u", 1),
                ("f32.reinterpret_i32", 0),
                ("f32.convert_i32_u", 0),
            ][self.rng.below(5) as usize],
            _ => [
                ("f64.promote_f32", 2),
                ("f64.convert_i64_s", 1),
                ("f64.convert_i32_u", 0),
                ("f64.reinterpret_i64", 1),
                ("f64.convert_i64_u", 1),
            ][self.rng.below(5) as usize],
        };
        format!("({op} {})", self.expr(from, d))
    }

    fn comparison(&mut self, d: u32) -> String {
        let ty = self.rng.below(4) as usize;
        let op = if ty < 2 {
            self.pick(&["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"])
        } else {
            self.pick(&["eq", "ne", "lt", "gt", "le", "ge"])
        };
        let compare = format!("({}.{op} {} {})", TYPES[ty], self.expr(ty, d), self.expr(ty, d));
        if self.rng.below(3) == 0 { format!("(i32.eqz {compare})") } else { compare }
    }

    /// A block that may be left early with its value, by `br_if` or `br_table`.
    fn block(&mut self, ty: usize, d: u32) -> String {
        let t = TYPES[ty];
        self.labels += 1;
        let statement = if d > 0 { self.statement(d - 1) } else { String::new() };
        let kind = self.rng.below(3);
        self.labels += usize::from(kind == 2);
        let (below, value, index) = (self.expr(0, d), self.expr(ty, d), self.expr(0, d));
        self.labels -= usize::from(kind == 2);
        let inner = match kind {
            0 => format!("(br_if 0 {value} {index}) (drop) {}", self.expr(ty, d)),
            1 => format!("{below} (br_if 0 {value} {index}) (br 0)"),
            _ => format!("(block (result {t}) {below} (br_table 0 1 1 0 {value} {index}))"),
        };
        self.labels -= 1;
        format!("(block (result {t}) {statement} {inner})")
    }

    /// Two values of a block with parameters, exchanged or summed.
    fn swap(&mut self, ty: usize, d: u32) -> String {
        let t = TYPES[ty];
        let Some(local) = self.local(ty) else { return self.constant(ty) };
        let (a, b, c) = (self.expr(ty, d), self.expr(ty, d), self.expr(0, d));
        let op = if ty < 2 { "sub" } else { "div" };
        match self.rng.below(2) {
            0 => format!(
                "{a} {b} (block (param {t} {t}) (result {t}) (local.set {local}) (local.get {local}) ({t}.{op}))"
            ),
            _ => format!(
                "{a} {b} {c} (if (param {t} {t}) (result {t} {t}) (then (local.set {local}) (local.get {local})) \
                 (else (local.get {local}) ({t}.{op}))) ({t}.{op})"
            ),
        }
    }

    /// A call of an earlier function, direct or through the table, the wanted result picked from what it gives.
    fn call(&mut self, ty: usize, d: u32) -> Option<String> {
        if self.functions.is_empty() || self.loops > 0 {
            return None;
        }
        let number = self.rng.below(self.functions.len() as u64) as usize;
        let (params, results) = (self.functions[number].params.clone(), self.functions[number].results.clone());
        let at = results.iter().position(|r| *r == ty)?;
        let args: String = params.iter().map(|p| self.expr(*p, d)).collect();
        let call = match self.rng.below(3) {
            0 => {
                // Any index: the wrong one traps.
                let index = self.expr(0, d);
                let near = format!("(i32.add (i32.const {}) (i32.and {index} (i32.const 1)))", number + 1);
                let list = |types: &[usize]| types.iter().map(|t| TYPES[*t]).collect::<Vec<_>>().join(" ");
                format!("{args} {near} (call_indirect $t (param {}) (result {}))", list(&params), list(&results))
            }
            _ => format!("{args} (call $f{number})"),
        };
        // Drop what lies above, and keep the value while dropping what lies below.
        let above = "(drop)".repeat(results.len() - 1 - at);
        if at == 0 {
            return Some(format!("{call} {above}"));
        }
        let local = self.local(ty)?;
        Some(format!("{call} {above} (local.set {local}) {} (local.get {local})", "(drop)".repeat(at)))
    }

    fn statement(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        let ty = self.rng.below(4) as usize;
        match self.rng.below(13) {
            0..=2 => match self.local(ty) {
                Some(local) => format!("(local.set {local} {})\n", self.expr(ty, depth)),
                None => String::new(),
            },
            3 | 4 => {
                let store = match ty {
                    0 => self.pick(&["i32.store", "i32.store8", "i32.store16"]),
                    1 => self.pick(&["i64.store", "i64.store8", "i64.store16", "i64.store32"]),
                    2 => "f32.store",
                    _ => "f64.store",
                };
                format!("({store} offset=2 {} {})\n", self.address(d), self.expr(ty, d))
            }
            5 => format!("(global.set $g{ty} {})\n", self.expr(ty, d)),
            6 if depth > 0 => {
                let condition = self.expr(0, d);
                self.labels += 1;
                let (a, b) = (self.statement(d), self.statement(d));
                self.labels -= 1;
                format!("(if {condition} (then {a}) (else {b}))\n")
            }
            7 if depth > 0 => self.counted_loop(d),
            8 if depth > 0 => {
                let list = self.pick(&["0 1", "1 0 1 1 0", "0 0 1 0"]);
                self.labels += 2;
                let index = self.expr(0, d);
                self.labels -= 1;
                let (a, b) = (self.statement(d), self.statement(d));
                self.labels -= 1;
                format!("(block (block (br_table {list} {index})) {a} {b})\n")
            }
            9 => self.leave(d),
            10 => {
                let len = self.rng.below(40);
                let (to, from) = (self.address(d), self.address(d));
                match self.rng.below(3) {
                    0 => format!("(memory.copy {to} {from} (i32.const {len}))\n"),
                    1 => format!("(memory.fill {to} {} (i32.and {from} (i32.const 31)))\n", self.expr(0, d)),
                    _ => format!("(memory.init $passive {to} (i32.const 3) (i32.const {}))\n", len / 2),
                }
            }
            11 => match self.rng.below(4) {
                0 => {
                    format!("(table.set $t (i32.and {} (i32.const 7)) (table.get $t (i32.const 2)))\n", self.expr(0, d))
                }
                1 => "(table.copy $t $t (i32.const 0) (i32.const 3) (i32.const 4))\n".to_owned(),
                2 => format!("(drop (table.grow $t (ref.null func) (i32.and {} (i32.const 3))))\n", self.expr(0, d)),
                _ => format!("(drop (memory.grow (i32.and {} (i32.const 1))))\n", self.expr(0, d)),
            },
            _ => format!("(drop {})\n", self.expr(ty, depth)),
        }
    }

    /// A loop that runs a few times, with values passed round where it can.
    fn counted_loop(&mut self, d: u32) -> String {
        if self.counters == COUNTERS {
            return String::new();
        }
        let counter = self.locals.len() - COUNTERS + self.counters;
        self.counters += 1;
        self.loops += 1;
        let times = 1 + self.rng.below(5);
        self.labels += 1;
        let body: String = (0..2).map(|_| self.statement(d)).collect();
        self.labels -= 1;
        self.loops -= 1;
        self.counters -= 1;
        let next = format!("(local.tee {counter} (i32.sub (local.get {counter}) (i32.const 1)))");
        let start = format!("(local.set {counter} (i32.const {times}))");
        if self.rng.below(2) == 0 {
            return format!("{start} (loop {body} (br_if 0 {next}))\n");
        }
        let Some(local) = self.local(1) else { return format!("{start} (loop {body} (br_if 0 {next}))\n") };
        format!(
            "{start} (local.get {local}) (i64.const 3) (loop (param i64 i64) (result i64 i64) \
             (local.set {local}) (i64.mul (i64.const 3)) (i64.add (local.get {local}) (i64.const 1)) {body} (br_if 0 {next})) \
             (i64.xor) (local.set {local})\n"
        )
    }

    /// A return from the function, sometimes: of several values that exchange locals, or by a tail call.
    fn leave(&mut self, d: u32) -> String {
        let results = self.results.clone();
        let same = self.functions.iter().position(|f| f.results == results);
        let condition = self.expr(0, d);
        self.labels += 1;
        let values: String = results.iter().map(|ty| self.expr(*ty, d)).collect();
        let leave = match (self.rng.below(3), same) {
            (0, Some(number)) if self.loops == 0 => {
                let params = self.functions[number].params.clone();
                let args: String = params.iter().map(|p| self.expr(*p, d)).collect();
                format!("{args} (return_call $f{number})")
            }
            (1, _) => format!("{values} (return)"),
            _ => format!("{values} (br {})", self.labels),
        };
        self.labels -= 1;
        format!("(if (i32.eq {condition} (i32.const 3)) (then {leave}))\n")
    }
}
