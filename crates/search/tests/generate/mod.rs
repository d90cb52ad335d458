//! Random programs over one or two bytes, as WebAssembly text: every operator, every kind of control flow.

use std::collections::BTreeSet;
use std::fmt::Write;

use slowpath_search::Rng;

/// Operand types, result type, operators of that shape.
pub const OPERATORS: &[(&[&str], &str, &[&str])] = &[
    (
        &["i32", "i32"],
        "i32",
        &[
            "i32.add",
            "i32.sub",
            "i32.mul",
            "i32.and",
            "i32.or",
            "i32.xor",
            "i32.shl",
            "i32.shr_s",
            "i32.shr_u",
            "i32.rotl",
            "i32.rotr",
            "i32.div_s",
            "i32.div_u",
            "i32.rem_s",
            "i32.rem_u",
            "i32.eq",
            "i32.ne",
            "i32.lt_s",
            "i32.lt_u",
            "i32.gt_s",
            "i32.gt_u",
            "i32.le_s",
            "i32.le_u",
            "i32.ge_s",
            "i32.ge_u",
        ],
    ),
    (
        &["i64", "i64"],
        "i64",
        &[
            "i64.add",
            "i64.sub",
            "i64.mul",
            "i64.and",
            "i64.or",
            "i64.xor",
            "i64.shl",
            "i64.shr_s",
            "i64.shr_u",
            "i64.rotl",
            "i64.rotr",
            "i64.div_s",
            "i64.div_u",
            "i64.rem_s",
            "i64.rem_u",
        ],
    ),
    (
        &["i64", "i64"],
        "i32",
        &[
            "i64.eq", "i64.ne", "i64.lt_s", "i64.lt_u", "i64.gt_s", "i64.gt_u", "i64.le_s", "i64.le_u", "i64.ge_s",
            "i64.ge_u",
        ],
    ),
    (&["i32"], "i32", &["i32.eqz", "i32.clz", "i32.ctz", "i32.popcnt", "i32.extend8_s", "i32.extend16_s"]),
    (&["i64"], "i64", &["i64.clz", "i64.ctz", "i64.popcnt", "i64.extend8_s", "i64.extend16_s", "i64.extend32_s"]),
    (&["i64"], "i32", &["i64.eqz", "i32.wrap_i64"]),
    (&["i32"], "i64", &["i64.extend_i32_s", "i64.extend_i32_u"]),
    (&["f32", "f32"], "f32", &["f32.add", "f32.sub", "f32.mul", "f32.div", "f32.min", "f32.max", "f32.copysign"]),
    (&["f64", "f64"], "f64", &["f64.add", "f64.sub", "f64.mul", "f64.div", "f64.min", "f64.max", "f64.copysign"]),
    (&["f32", "f32"], "i32", &["f32.eq", "f32.ne", "f32.lt", "f32.gt", "f32.le", "f32.ge"]),
    (&["f64", "f64"], "i32", &["f64.eq", "f64.ne", "f64.lt", "f64.gt", "f64.le", "f64.ge"]),
    (&["f32"], "f32", &["f32.abs", "f32.neg", "f32.ceil", "f32.floor", "f32.trunc", "f32.nearest", "f32.sqrt"]),
    (&["f64"], "f64", &["f64.abs", "f64.neg", "f64.ceil", "f64.floor", "f64.trunc", "f64.nearest", "f64.sqrt"]),
    (&["i32"], "f32", &["f32.convert_i32_s", "f32.convert_i32_u", "f32.reinterpret_i32"]),
    (&["i64"], "f32", &["f32.convert_i64_s", "f32.convert_i64_u"]),
    (&["i32"], "f64", &["f64.convert_i32_s", "f64.convert_i32_u"]),
    (&["i64"], "f64", &["f64.convert_i64_s", "f64.convert_i64_u", "f64.reinterpret_i64"]),
    (&["f64"], "f32", &["f32.demote_f64"]),
    (&["f32"], "f64", &["f64.promote_f32"]),
    (
        &["f32"],
        "i32",
        &["i32.trunc_f32_s", "i32.trunc_f32_u", "i32.trunc_sat_f32_s", "i32.trunc_sat_f32_u", "i32.reinterpret_f32"],
    ),
    (&["f64"], "i32", &["i32.trunc_f64_s", "i32.trunc_f64_u", "i32.trunc_sat_f64_s", "i32.trunc_sat_f64_u"]),
    (&["f32"], "i64", &["i64.trunc_f32_s", "i64.trunc_f32_u", "i64.trunc_sat_f32_s", "i64.trunc_sat_f32_u"]),
    (
        &["f64"],
        "i64",
        &["i64.trunc_f64_s", "i64.trunc_f64_u", "i64.trunc_sat_f64_s", "i64.trunc_sat_f64_u", "i64.reinterpret_f64"],
    ),
];

struct Gen<'r> {
    rng: &'r mut Rng,
    used: &'r mut BTreeSet<&'static str>,
    /// Floats are left out where two inputs would meet in them: that is Z3's slowest corner, and not what is tested here.
    floats: bool,
    /// Counters of the loops around this place.
    loops: u32,
    text: String,
}

/// A module exporting `f`, which takes so many bytes and returns an i32.
pub fn program(rng: &mut Rng, params: u32, used: &mut BTreeSet<&'static str>) -> String {
    let mut g = Gen { rng, used, floats: params == 1, loops: 0, text: String::new() };
    let count = 4 + g.rng.below(7);
    for _ in 0..count {
        g.statement(3);
    }
    let last = g.expr("i32", 2);
    let params_text = "(param i32)".repeat(params as usize);
    // Locals $a $b hold the inputs whatever their number.
    let second = if params == 2 { "(local.get 1)" } else { "(i32.const 5)" };
    format!(
        r#"(module (memory 1) (global $g (mut i32) (i32.const 3)) (table 4 funcref)
  (elem (i32.const 0) $inc $dbl $trap)
  (type $unary (func (param i32) (result i32)))
  (data (i32.const 0) "\07\01\fe\80\7f\00\11\22\33\44\55\66\77\88\99\aa\bb\cc\dd\ee\ff\10\20\30")
  (func $inc (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $dbl (param i32) (result i32) (if (result i32) (i32.gt_s (local.get 0) (i32.const 40)) (then (i32.const 1)) (else (i32.shl (local.get 0) (i32.const 1)))))
  (func $trap (param i32) (result i32) (if (i32.eq (local.get 0) (i32.const 9)) (then (unreachable))) (local.get 0))
  (func (export "f") {params_text} (result i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i64) (local $e f32) (local $h f64)
    (local $i0 i32) (local $i1 i32) (local $i2 i32)
    (local.set $a (local.get 0)) (local.set $b {second}) (local.set $d (i64.extend_i32_u (local.get 0)))
    (local.set $e (f32.convert_i32_u (local.get 0))) (local.set $h (f64.convert_i32_s (i32.sub (local.get 0) (i32.const 100))))
{}    {last}))"#,
        g.text
    )
}

/// A module exporting `f`, which takes the address of four bytes and looks at one after the other, keeping what it found in locals,
/// globals and memory: different bytes often lead to the same state.
#[allow(dead_code)]
pub fn looping(rng: &mut Rng, used: &mut BTreeSet<&'static str>) -> String {
    let mut g = Gen { rng, used, floats: false, loops: 1, text: String::new() };
    let count = 1 + g.rng.below(3);
    for _ in 0..count {
        g.step();
    }
    let last = g.pick(&["(local.get $b)", "(global.get $g)", "(i32.load8_u (i32.const 3))"]);
    format!(
        r#"(module (memory 1) (global $g (mut i32) (i32.const 0))
  (data (i32.const 0) "\07\01\fe\80\7f\00\11\22\33\44\55\66\77\88\99\aa")
  (func $note (param i32) (i32.store8 (i32.and (local.get 0) (i32.const 7)) (i32.add (i32.load8_u (i32.const 2)) (i32.const 1))))
  (func $many (param i32) (result i32) (local i32)
    (loop $l (local.set 1 (i32.add (local.get 1) (i32.const 1))) (br_if $l (i32.lt_u (local.get 1) (i32.and (local.get 0) (i32.const 3)))))
    (local.get 1))
  (func (export "f") (param $p i32) (result i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i64) (local $i0 i32) (local $i1 i32) (local $i2 i32)
    (loop $next
      (local.set $a (i32.load8_u (i32.add (local.get $p) (local.get $i0))))
{}      (local.set $i0 (i32.add (local.get $i0) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i0) (i32.const 4))))
    {last}))"#,
        g.text
    )
}

/// A module exporting `f`, which takes the address of bytes and compares one after the other with a list in memory that it
/// reorders: what is in the list often has no meaning but that it is equal to a byte or not. Sometimes it has.
#[allow(dead_code)]
pub fn listing(rng: &mut Rng, used: &mut BTreeSet<&'static str>) -> String {
    let mut g = Gen { rng, used, floats: false, loops: 1, text: String::new() };
    let count = 1 + g.rng.below(2);
    for _ in 0..count {
        g.comparison();
    }
    let first = g.pick(&["\\00\\01\\02\\03", "\\03\\01\\02\\00", "\\01\\02\\01\\05", "\\07\\00\\ff\\02"]);
    format!(
        r#"(module (memory 1) (global $g (mut i32) (i32.const 0))
  (data (i32.const 32) "{first}\00\00\01\02")
  (func $entry (param i32) (result i32) (i32.load8_u offset=32 (local.get 0)))
  (func $front (param $k i32) (local $x i32)
    (local.set $x (i32.load8_u offset=32 (local.get $k)))
    (block $done (loop $l
      (br_if $done (i32.eqz (local.get $k)))
      (i32.store8 offset=32 (local.get $k) (i32.load8_u offset=31 (local.get $k)))
      (local.set $k (i32.sub (local.get $k) (i32.const 1)))
      (br $l)))
    (i32.store8 offset=32 (local.get $k) (local.get $x)))
  (func (export "f") (param $p i32) (result i32)
    (local $a i32) (local $b i32) (local $c i32) (local $k i32) (local $t i32) (local $i i32)
    (loop $next
      (local.set $a (i32.load8_u (i32.add (local.get $p) (local.get $i))))
      (local.set $k (i32.const 0))
{}      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 4))))
    (local.get $b)))"#,
        g.text
    )
}

impl Gen<'_> {
    /// A search in a list, or a comparison with one of its entries, and what is done where it is found.
    fn comparison(&mut self) {
        let tests = [
            "(i32.eq (local.get $a) (i32.load8_u offset=32 (local.get $k)))",
            "(i32.eq (i32.load8_u offset=32 (local.get $k)) (i32.load8_u (i32.add (local.get $p) (local.get $i))))",
            "(i32.eqz (i32.ne (call $entry (local.get $k)) (local.get $a)))",
            "(i32.and (i32.eq (local.get $a) (i32.load8_u offset=32 (local.get $k))) (i32.const 1))",
            "(i64.eq (i64.load8_u offset=32 (local.get $k)) (i64.load8_u (i32.add (local.get $p) (local.get $i))))",
            "(i32.eq (local.get $c) (local.get $a))",
        ];
        // The first of these leave names what they are.
        let actions = [
            "(call $front (local.get $k))",
            "(call $front (local.get $k))",
            "(local.set $b (i32.and (i32.add (local.get $b) (local.get $k)) (i32.const 3)))",
            "(local.set $c (i32.load8_u offset=32 (local.get $k)))",
            "(i32.store8 offset=33 (i32.const 0) (local.get $c))",
            "(memory.copy (i32.const 33) (i32.const 32) (i32.const 3))",
            "(local.set $c (call $entry (i32.const 2)))",
            "(if (i32.and (local.get $b) (i32.const 1)) (then (call $front (i32.const 2))))",
            "(i32.store8 offset=34 (i32.const 0) (local.get $a))",
            "(if (i32.eq (local.get $a) (i32.const 2)) (then (local.set $b (i32.const 1))))",
            "(if (i32.eqz (local.get $a)) (then (local.set $b (i32.const 2))))",
            "(if (i32.eq (call $entry (i32.const 0)) (i32.const 1)) (then (local.set $b (i32.const 2))))",
            "(if (i32.lt_u (local.get $a) (i32.const 2)) (then (local.set $b (i32.const 0))))",
            "(if (local.get $c) (then (local.set $b (i32.const 3))))",
            "(i32.store8 offset=32 (i32.const 0) (i32.add (local.get $c) (i32.const 1)))",
            "(i32.store8 offset=32 (i32.const 1) (i32.const 2))",
            "(i32.store16 offset=34 (i32.const 0) (local.get $c))",
            "(local.set $c (i32.load16_u offset=32 (i32.const 0)))",
            "(local.set $b (i32.load8_u offset=32 (i32.and (local.get $c) (i32.const 3))))",
            "(memory.fill (i32.const 32) (local.get $c) (i32.const 2))",
            "(local.set $c (i32.const 3))",
            "(global.set $g (local.get $c))",
            "(local.set $c (global.get $g))",
            "(local.set $c (select (local.get $c) (i32.const 1) (local.get $b)))",
            "(local.set $b (i32.and (i32.add (local.get $b) (i32.eq (local.get $a) (local.get $c))) (i32.const 3)))",
            "(block $x (block $y (br_table $x $y $x (local.get $a))) (local.set $b (i32.const 1)))",
            "(if (i32.gt_u (local.get $b) (i32.const 2)) (then (unreachable)))",
        ];
        let few = self.pick(&[9, 9, 12, actions.len()]);
        let (test, count) = (self.pick(&tests), 1 + self.rng.below(2));
        let mut found = String::new();
        for _ in 0..count {
            found += self.pick(&actions[..few]);
        }
        let missed = self.pick(&actions[..few]);
        let through_local = self.rng.below(2) == 0;
        let branch = if through_local {
            format!("(local.set $t (i32.const 0)) (local.set $t {test}) (br_if $found (local.get $t))")
        } else {
            format!("(br_if $found {test})")
        };
        let last = self.pick(&[1, 3, 3]);
        let _ = writeln!(
            self.text,
            "      (block $after (block $found (loop $search {branch}
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br_if $search (i32.lt_u (local.get $k) (i32.const {last})))) {missed} (br $after)) {found}) (local.set $k (i32.const 0))"
        );
    }

    /// A test of the byte, and what is done if it holds.
    fn step(&mut self) {
        let tests = [
            "(i32.eq (local.get $a) (i32.const 32))",
            "(i32.lt_u (local.get $a) (i32.const 100))",
            "(i32.and (local.get $a) (i32.const 1))",
            "(i32.gt_u (local.get $a) (local.get $c))",
            "(i32.eq (local.get $b) (i32.const 2))",
            "(i32.eq (local.get $a) (i32.load8_u (i32.add (local.get $p) (local.get $i2))))",
        ];
        let actions = [
            "(local.set $b (i32.add (local.get $b) (i32.const 1)))",
            "(local.set $b (i32.and (i32.add (local.get $b) (i32.const 1)) (i32.const 1)))",
            "(local.set $b (i32.const 0))",
            "(local.set $c (local.get $a))",
            "(global.set $g (i32.xor (global.get $g) (i32.const 1)))",
            "(if (global.get $g) (then (local.set $b (i32.const 2))))",
            "(i32.store8 (i32.const 3) (local.get $a))",
            "(i32.store8 offset=16 (local.get $b) (local.get $a))",
            "(i32.store16 offset=16 (i32.const 0) (local.get $b))",
            "(local.set $c (i32.load8_u (i32.const 3)))",
            "(local.set $c (i32.load16_u offset=16 (i32.and (local.get $b) (i32.const 3))))",
            "(if (i32.load8_u (i32.const 5)) (then (local.set $b (i32.const 1))) (else (i32.store8 (i32.const 5) (local.get $b))))",
            "(memory.copy (i32.const 2) (i32.const 5) (i32.const 2))",
            "(memory.fill (i32.const 4) (local.get $b) (i32.const 3))",
            "(call $note (local.get $b))",
            "(call $note (local.get $a))",
            "(local.set $b (call $many (local.get $b)))",
            "(local.set $b (call $many (i32.load8_u (i32.const 5))))",
            "(i32.store8 (local.get $p) (local.get $b))",
            "(if (i32.eq (local.get $b) (i32.const 3)) (then (unreachable)))",
            "(local.set $b (i32.div_u (i32.const 8) (local.get $b)))",
            "(if (i32.gt_u (local.get $b) (i32.const 6)) (then (return (local.get $b))))",
            "(local.set $i2 (i32.and (local.get $b) (i32.const 3)))",
            "(local.set $i2 (local.get $i0))",
        ];
        let count = 1 + self.rng.below(3);
        let test = self.pick(&tests);
        let mut then = String::new();
        for _ in 0..count {
            then += self.pick(&actions);
        }
        let (els, after) = (self.pick(&actions), self.pick(&actions));
        let _ = writeln!(self.text, "      (if {test} (then {then}) (else {els})) {after}");
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn ty(&mut self) -> &'static str {
        if self.floats { self.pick(&["i32", "i32", "i64", "f32", "f64"]) } else { self.pick(&["i32", "i32", "i64"]) }
    }

    fn local(&mut self, ty: &str) -> &'static str {
        match ty {
            "i32" => self.pick(&["$a", "$b", "$c"]),
            "i64" => "$d",
            "f32" => "$e",
            _ => "$h",
        }
    }

    fn leaf(&mut self, ty: &str) -> String {
        if self.rng.below(3) > 0 {
            let local = self.local(ty);
            return format!("(local.get {local})");
        }
        match ty {
            "i32" => format!(
                "(i32.const {})",
                self.pick(&[0i64, 1, 2, 3, 7, 8, 15, 16, 100, 128, 255, -1, -128, 2147483647])
            ),
            "i64" => format!("(i64.const {})", self.pick(&[0i64, 1, 5, 31, 64, 127, 255, 256, -1, -7, i64::MIN])),
            "f32" => format!("(f32.const {})", self.pick(&["0", "1", "-0.5", "100.25", "nan", "inf", "3e9"])),
            _ => format!("(f64.const {})", self.pick(&["0", "-1", "0.75", "1e10", "nan", "-inf", "255"])),
        }
    }

    fn expr(&mut self, ty: &'static str, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.rng.below(12) {
            0 => self.leaf(ty),
            1 => {
                let (c, x, y) = (self.cond(depth - 1), self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                format!("(select {x} {y} {c})")
            }
            2 => {
                let address = self.address(depth - 1);
                let op = match ty {
                    "i32" => self.pick(&["i32.load8_u", "i32.load8_s", "i32.load16_u", "i32.load16_s", "i32.load"]),
                    "i64" => self.pick(&[
                        "i64.load8_u",
                        "i64.load8_s",
                        "i64.load16_s",
                        "i64.load32_u",
                        "i64.load32_s",
                        "i64.load",
                    ]),
                    "f32" => "f32.load",
                    _ => "f64.load",
                };
                format!("({op} {address})")
            }
            3 if ty == "i32" => {
                let (c, x, y) = (self.cond(depth - 1), self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                format!("(if (result i32) {c} (then {x}) (else {y}))")
            }
            4 if ty == "i32" => {
                let (x, i) = (self.expr("i32", depth - 1), self.expr("i32", depth - 1));
                format!("(call_indirect (type $unary) {x} (i32.and {i} (i32.const 3)))")
            }
            5 if ty == "i32" => "(global.get $g)".to_owned(),
            6 if ty == "i32" => "(memory.size)".to_owned(),
            _ => self.operation(ty, depth),
        }
    }

    fn operation(&mut self, ty: &'static str, depth: u32) -> String {
        let fits: Vec<_> = OPERATORS
            .iter()
            .filter(|o| o.1 == ty && (self.floats || !o.0.iter().any(|t| t.starts_with('f'))))
            .collect();
        let shape = fits[self.rng.below(fits.len() as u64) as usize];
        let op = shape.2[self.rng.below(shape.2.len() as u64) as usize];
        self.used.insert(op);
        let operands: Vec<String> = shape.0.iter().map(|t| self.expr(t, depth - 1)).collect();
        format!("({op} {})", operands.join(" "))
    }

    fn cond(&mut self, depth: u32) -> String {
        let (x, y) = (self.expr("i32", depth), self.leaf("i32"));
        let op = self.pick(&["i32.lt_u", "i32.gt_s", "i32.eq", "i32.ne", "i32.le_s", "i32.and"]);
        format!("({op} {x} {y})")
    }

    /// Mostly inside the data, sometimes anywhere.
    fn address(&mut self, depth: u32) -> String {
        let x = self.expr("i32", depth);
        if self.rng.below(12) == 0 { x } else { format!("(i32.and {x} (i32.const 15))") }
    }

    fn statement(&mut self, depth: u32) {
        let kind = if depth == 0 { self.rng.below(4) } else { self.rng.below(11) };
        let line = match kind {
            0 | 1 => {
                let ty = self.ty();
                let (local, value) = (self.local(ty), self.expr(ty, 2));
                format!("(local.set {local} {value})")
            }
            2 => {
                let ty = self.ty();
                let (address, value) = (self.address(1), self.expr(ty, 1));
                let op = match ty {
                    "i32" => self.pick(&["i32.store8", "i32.store16", "i32.store"]),
                    "i64" => self.pick(&["i64.store8", "i64.store16", "i64.store32", "i64.store"]),
                    "f32" => "f32.store",
                    _ => "f64.store",
                };
                format!("({op} {address} {value})")
            }
            3 => {
                let value = self.expr("i32", 2);
                format!("(global.set $g {value})")
            }
            4 | 5 => {
                let cond = self.cond(1);
                let _ = writeln!(self.text, "(if {cond} (then");
                self.statement(depth - 1);
                self.text.push_str(") (else\n");
                self.statement(depth - 1);
                "))".to_owned()
            }
            6 if self.loops < 3 => {
                let (counter, bound) = (self.loops, self.expr("i32", 1));
                self.loops += 1;
                let _ = writeln!(self.text, "(local.set $i{counter} (i32.const 0)) (loop $l{counter}");
                self.statement(depth - 1);
                self.loops -= 1;
                format!(
                    "(local.set $i{counter} (i32.add (local.get $i{counter}) (i32.const 1)))\n\
                     (br_if $l{counter} (i32.lt_u (local.get $i{counter}) (i32.and {bound} (i32.const 3)))))"
                )
            }
            7 => {
                let index = self.expr("i32", 1);
                let _ = writeln!(
                    self.text,
                    "(block $x (block $y (block $z (br_table $x $y $z $y $x (i32.and {index} (i32.const 7))))"
                );
                self.statement(depth - 1);
                self.text.push_str(")\n");
                self.statement(depth - 1);
                ")".to_owned()
            }
            8 => {
                let cond = self.cond(1);
                let value = self.expr("i32", 1);
                self.pick(&["A", "B", "C"]);
                format!("(if {cond} (then (return {value})))")
            }
            9 => {
                let (to, len) = (self.pick(&[0, 3, 8, 16]), self.pick(&[0, 1, 4, 7]));
                let value = self.expr("i32", 1);
                format!(
                    "(memory.copy (i32.const {to}) (i32.const 2) (i32.const {len})) (memory.fill (i32.const 20) {value} (i32.const {len}))"
                )
            }
            _ => {
                let (x, y) = (self.expr("i32", 1), self.expr("i32", 1));
                format!("(local.set $c (call $dbl (call $inc (i32.add {x} {y}))))")
            }
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }
}
