//! Random programs of C over few small numbers: structs, pointers, recursion, function pointers, strings, floats, mixed widths.
//!
//! Every loop has a counter and every recursion a depth, so every input ends. Whatever the language leaves undefined is no matter: all
//! that is compared runs the same module.

use std::fmt::Write;

use crate::rng::Rng;

/// A program, the way to call it, and the inputs there are: n numbers from 0 to `highest`.
pub struct Generated {
    pub text: String,
    pub call: String,
    pub highest: u64,
    pub largest: i64,
}

const HEAD: &str = "\
struct node { short w; struct node *next; long long v; unsigned char tag; };
static struct node pool[8];
static const char *const words[4] = {\"ab\", \"abc\", \"b\", \"\"};
static signed char scratch[16];
static int add(int x, int y) { return x + y; }
static int less(int x, int y) { if (x < y) return y - x; return 0; }
static int mix(int x, int y) { int s = x; while (y > 0 && s < 40) { s = s * 2 + 1; y--; } return s; }
static int (*const ops[4])(int, int) = {add, less, mix, add};
static int spell(const char *w, int x) { int s = 0; while (*w) { if (*w - 'a' == (x & 1)) s += 2; w++; } return s; }
static struct node *link(struct node *list, int x) {
  struct node **at = &list; int k = 0;
  struct node *fresh = 0;
  for (int i = 0; i < 8; i++) if (!pool[i].tag) { fresh = &pool[i]; break; }
  if (!fresh) return list;
  while (*at && (*at)->v < x && k < 8) { at = &(*at)->next; k++; }
  fresh->tag = 1; fresh->v = x; fresh->w = (short)(x * 300); fresh->next = *at; *at = fresh;
  return list;
}
static int walk(const struct node *p, int d) { if (!p || d <= 0) return 0; return (int)p->v + walk(p->next, d - 1); }
";

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    let mut rng = Rng::new(seed ^ 0x50A5);
    let element = ["unsigned char", "short", "int", "unsigned", "long long", "signed char"][rng.below(6) as usize];
    let signature = match element {
        "unsigned char" => "u8",
        "short" => "i16",
        "int" => "i32",
        "unsigned" => "u32",
        "long long" => "i64",
        _ => "i8",
    };
    let (highest, largest) = [(3, 4), (1, 6), (7, 2), (2, 5)][rng.below(4) as usize];
    let mut writer = Writer { rng, text: HEAD.to_owned(), helpers: 0, loops: 0 };
    for number in 0..1 + writer.rng.below(3) as u32 {
        let body = writer.body(2, 2);
        let deeper = writer.expression(1);
        let stop = writer.condition();
        let _ = writeln!(
            writer.text,
            "static int h{number}(int x, int y, int d) {{\n  double f = x * 0.5; int s = y;\n  if (d <= 0) return x;\n{body}  \
             if ({stop}) return s + h{number}(({deeper}) & 7, y - 1, d - 1);\n  return s;\n}}"
        );
        writer.helpers = number + 1;
    }
    let body = writer.body(3, 3);
    let _ = writeln!(
        writer.text,
        "int f({element} *a, int n) {{\n  int s = 0; double f = 1.0; struct node *list = 0; int d = 4;\n  \
         for (int i = 0; i < n; i++) {{\n  int x = (int)a[i], y = i > 0 ? (int)a[i - 1] : n;\n{body}  }}\n  \
         return s + walk(list, 8) + (f > 8.0);\n}}"
    );
    Generated { text: writer.text, call: format!("f(a: {signature}[n] in 0..={highest}, n)"), highest, largest }
}

struct Writer {
    rng: Rng,
    text: String,
    /// Helpers that are there to be called.
    helpers: u32,
    loops: u32,
}

impl Writer {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    /// Some statements; those of the last function have a list to work on.
    fn body(&mut self, most: u64, depth: u32) -> String {
        let is_last = depth == 3;
        let mut out = String::new();
        for _ in 0..1 + self.rng.below(most) {
            out += &self.statement(depth, is_last);
        }
        out
    }

    fn statement(&mut self, depth: u32, has_list: bool) -> String {
        let e = self.expression(2);
        let small = self.rng.below(7);
        match if depth == 0 { self.rng.below(6) } else { self.rng.below(13) } {
            0 => format!("  s += {e};\n"),
            1 => format!("  s = (short)({e}) ^ (s & 31);\n"),
            2 => format!("  scratch[({e}) & 15] = (signed char)(x + s);\n"),
            3 => format!("  f = f * 0.75 + (double)({e});\n"),
            4 => format!("  s += ops[({e}) & 3](x & 7, y & 7);\n"),
            5 => format!("  s += spell(words[({e}) & 3], x);\n"),
            6 | 7 => {
                let (cond, then, other) =
                    (self.condition(), self.statement(depth - 1, has_list), self.statement(depth - 1, has_list));
                format!("  if ({cond}) {{\n{then}  }} else {{\n{other}  }}\n")
            }
            8 => {
                self.loops += 1;
                let (k, inner) = (self.loops, self.statement(depth - 1, has_list));
                format!("  for (int k{k} = 0; k{k} < (({e}) & {small}); k{k}++) {{\n{inner}  }}\n")
            }
            9 => {
                let (one, two) = (self.statement(depth - 1, has_list), self.statement(depth - 1, has_list));
                format!("  switch (({e}) & 3) {{\n  case 0:\n{one}  break;\n  case 2:\n{two}  default: s++;\n  }}\n")
            }
            10 if has_list => format!("  list = link(list, ({e}) & 15);\n"),
            11 if self.helpers > 0 => {
                let which = self.rng.below(u64::from(self.helpers));
                format!("  s += h{which}(({e}) & 7, y & 3, {});\n", 1 + self.rng.below(4))
            }
            _ => {
                self.loops += 1;
                let k = self.loops;
                let cond = self.condition();
                format!("  int g{k} = 6; while (g{k}-- > 0 && ({cond})) {{ s = s * 3 + x; x ^= 1; }}\n")
            }
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(1));
        match self.rng.below(8) {
            0 => format!("f > {}.5", self.rng.below(6)),
            1 => "(float)x * 1.5f >= (float)y".to_owned(),
            2 => format!("(unsigned char)({a}) < (unsigned short)({b})"),
            3 => format!("({a}) && ({b}) > 1"),
            4 => format!("(long long)({a}) * 3 == ({b})"),
            _ => format!("({a}) {} ({b})", self.pick(&["<", ">", "<=", "==", "!="])),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            let number = self.rng.below(9).to_string();
            let leaf = self.pick(&["x", "y", "x", "s", "number", "scratch[x & 15]", "d"]);
            return if leaf == "number" { number } else { leaf.to_owned() };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.below(14) {
            0..=2 => format!("({a} + {b})"),
            3 => format!("({a} - {b})"),
            4 => format!("({a} * {b})"),
            5 => format!("({a} & {b})"),
            6 => format!("({a} ^ {b})"),
            7 => format!("(({a}) >> (({b}) & 3))"),
            8 => format!("(({a}) / ((({b}) & 3) + 1))"),
            // Now and then it divides by nothing.
            9 if self.rng.below(6) == 0 => format!("(({a}) % (({b}) & 3))"),
            9 => format!("(({a}) % ((({b}) & 7) + 1))"),
            10 => format!("(int)(unsigned char)({a})"),
            11 => format!("(({a}) < ({b}) ? x : y)"),
            12 => format!("(int)((double)(({a}) & 15) * 0.5)"),
            _ => a,
        }
    }
}
