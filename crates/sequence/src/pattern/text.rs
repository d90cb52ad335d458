//! Patterns in words, and their elements as expressions in C and in Rust.

use super::Pattern;
use super::counter::{Block, Counter};
use crate::parameter::Parameter;
use crate::text::Language;

impl Pattern {
    /// In words: `"![[]()" repeated`. `is_text`: whether the values are bytes of a text.
    pub fn in_words(&self, is_text: bool) -> String {
        let list = |values: &[i64]| if is_text { quoted(values) } else { numbers(values) };
        let mut parts = Vec::new();
        let fixed = |parts: &mut Vec<String>, values: &[i64]| {
            if !values.is_empty() {
                parts.push(list(values));
            }
        };
        fixed(&mut parts, &self.prefix);
        let step = match self.step {
            0 => String::new(),
            more @ 1.. => format!(", each time {more} more"),
            less => format!(", each time {} less", less.unsigned_abs()),
        };
        let times = if self.second.is_empty() { "repeated" } else { "k times" };
        let unit = match &self.counter {
            Some(counter) => counted(&self.unit, counter, is_text, &list),
            None => list(&self.unit),
        };
        let filled = self.filler.map_or_else(String::new, |filler| format!(", filled up with {}", list(&[filler])));
        parts.push(format!("{unit} {times}{step}{filled}"));
        fixed(&mut parts, &self.middle);
        if !self.second.is_empty() {
            let step = if self.step == 0 { "" } else { ", in steps the other way" };
            let more = if self.second_fills { " and more, to the end" } else { "" };
            parts.push(format!("{} k times{more}{step}", list(&self.second)));
        }
        fixed(&mut parts, &self.suffix);
        parts.join(", then ")
    }

    /// An element as a C expression over the index `i` and the size `n`, of a sequence whose length is this function of n.
    pub fn c_expression(&self, length: &Parameter) -> String {
        self.expression(&length.source(Language::C), Language::C)
    }

    /// An element as a Rust expression over the index `i` and the size `n`, of a sequence whose length is this function of n.
    pub fn rust_expression(&self, length: &Parameter) -> String {
        self.expression(&length.source(Language::Rust), Language::Rust)
    }

    fn expression(&self, length: &str, language: Language) -> String {
        let (p, m, s) = (self.prefix.len(), self.middle.len(), self.suffix.len());
        let from = |start: &str| if start == "0" { "i".to_owned() } else { format!("(i - {start})") };
        let index = from(&p.to_string());
        let end = format!("({length} - {s})");
        let (u, v) = (self.unit.len(), self.second.len());
        let times = |width: usize| format!("({length} - {}) / {} * {width}", self.fixed(), u + v);
        let repeated = match v {
            0 => format!("({length} - {})", p + s),
            _ if self.second_fills => format!("({})", times(u)),
            _ => format!("({length} - {} - {})", self.fixed(), times(v)),
        };
        let mut text = match &self.counter {
            Some(counter) => self.counted_element(&index, &repeated, counter, language),
            None => {
                let text = stepped(&index, &self.unit, self.step, language);
                self.or_filler(&format!("({index} / {0} + 1) * {0}", self.unit.len()), &repeated, text, language)
            }
        };
        if !self.second.is_empty() {
            let again = match self.second_fills {
                true => format!("({} + {})", p + m, times(u)),
                false => format!("({end} - {})", times(v)),
            };
            let second = stepped(&format!("(i - {again})"), &self.second, self.step.saturating_neg(), language);
            let middle = format!("({again} - {m})");
            text = choose(&format!("i >= {again}"), &second, &text, language);
            if m > 0 {
                let fixed = one_of(&format!("(i - {middle})"), &self.middle, language);
                text = choose(&format!("i < {again} && i >= {middle}"), &fixed, &text, language);
            }
        }
        if s > 0 {
            let fixed = one_of(&format!("(i - {end})"), &self.suffix, language);
            text = choose(&format!("i >= {end}"), &fixed, &text, language);
        }
        if p > 0 {
            text = choose(&format!("i < {p}"), &one_of("i", &self.prefix, language), &text, language);
        }
        if self.fixed() > 0 {
            let fixed: Vec<i64> = self.prefix.iter().chain(&self.middle).chain(&self.suffix).copied().collect();
            text = choose(&format!("{length} < {}", fixed.len()), &one_of("i", &fixed, language), &text, language);
        }
        text
    }

    /// The filler, if there is one, where a repetition that ends at an index does not end within what is repeated; else the element.
    fn or_filler(&self, ends: &str, repeated: &str, element: String, language: Language) -> String {
        match self.filler {
            Some(filler) => {
                let filler = one_of("i", &[filler], language);
                choose(&format!("{ends} > {repeated}"), &filler, &element, language)
            }
            None => element,
        }
    }

    /// An element of a unit with a counter, block by block.
    fn counted_element(&self, index: &str, repeated: &str, counter: &Counter, language: Language) -> String {
        let blocks: Vec<Block> = counter.blocks(self.unit.len()).collect();
        let mut turns = blocks.iter().map(|block| block.count).sum::<u64>();
        let mut text = String::new();
        for block in blocks.iter().rev() {
            turns -= block.count;
            let element = self.element_of_block(index, block, turns, counter, language);
            let whole = self.unit.len() + block.width;
            let within = match block.start {
                0 => index.to_owned(),
                start => format!("({index} - {})", long(start, language)),
            };
            let ends = format!("{} + ({within} / {whole} + 1) * {whole}", long(block.start, language));
            let element = self.or_filler(&ends, repeated, element, language);
            text = match text.is_empty() {
                true => element,
                false => {
                    let end = block.start + block.count * (self.unit.len() + block.width) as u64;
                    choose(&format!("{index} < {}", long(end, language)), &element, &text, language)
                }
            };
        }
        text
    }

    /// An element of the repetitions whose numbers have as many digits; so many came before them.
    fn element_of_block(
        &self,
        index: &str,
        block: &Block,
        before: u64,
        counter: &Counter,
        language: Language,
    ) -> String {
        let (at, width) = (counter.at.min(self.unit.len()), block.width);
        let whole = self.unit.len() + width;
        let index =
            if block.start == 0 { index.to_owned() } else { format!("({index} - {})", long(block.start, language)) };
        let (turn, within) = (format!("({index} / {whole})"), format!("({index} % {whole})"));
        // The digits' places are zero in the table, and what they are is put over it.
        let zeros = std::iter::repeat_n(&0, width);
        let table: Vec<i64> = self.unit[..at].iter().chain(zeros).chain(&self.unit[at..]).copied().collect();
        let mut text = one_of(&within, &table, language);
        if self.step != 0 {
            text = format!("(({text}) + ({}) * ({} + {turn}))", self.step, long(before, language));
        }
        for place in 0..width {
            let weight = long(counter.weight(width - 1 - place), language);
            let digit = format!("({} + {turn} / {weight} % {})", counter.first, counter.digits.max(2));
            text = choose(&format!("{within} == {}", at + place), &digit, &text, language);
        }
        text
    }
}

/// A number that may need more than 32 bits.
fn long(number: u64, language: Language) -> String {
    match language {
        Language::C if i32::try_from(number).is_err() => format!("{number}LL"),
        _ => number.to_string(),
    }
}

/// A unit in words, with the digits of its counter in the middle: `"<" + aaa, aab, … + ">"`.
fn counted(unit: &[i64], counter: &Counter, is_text: bool, list: &dyn Fn(&[i64]) -> String) -> String {
    let (before, after) = unit.split_at(counter.at.min(unit.len()));
    let digit = |value: i64| if is_text { char::from((value & 0xFF) as u8).to_string() } else { value.to_string() };
    let last = counter.first.saturating_add(counter.digits - 1);
    let number = format!("(its number in {}..{})", digit(counter.first), digit(last));
    let parts = [before, after].map(|part| Some(list(part)).filter(|_| !part.is_empty()));
    let [before, after] = parts;
    [before, Some(number), after].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// An element of a unit that is repeated in steps.
fn stepped(index: &str, unit: &[i64], step: i64, language: Language) -> String {
    let width = unit.len();
    let within = if width == 1 { index.to_owned() } else { format!("{index} % {width}") };
    let value = one_of(&within, unit, language);
    if step == 0 {
        return value;
    }
    let turn = if width == 1 { index.to_owned() } else { format!("({index} / {width})") };
    format!("(({value}) + ({step}) * {turn})")
}

/// The value at an index.
fn one_of(index: &str, values: &[i64], language: Language) -> String {
    let literal = |value: &i64| match language {
        Language::C if i32::try_from(*value).is_err() => format!("{value}LL"),
        _ => value.to_string(),
    };
    let Some((last, before)) = values.split_last() else { return "0".to_owned() };
    let mut text = literal(last);
    if before.iter().all(|value| value == last) {
        return text;
    }
    for (at, value) in before.iter().enumerate().rev() {
        text = choose(&format!("{index} == {at}"), &literal(value), &text, language);
    }
    text
}

fn choose(when: &str, then: &str, otherwise: &str, language: Language) -> String {
    match language {
        Language::C => format!("({when} ? {then} : {otherwise})"),
        Language::Rust => format!("(if {when} {{ {then} }} else {{ {otherwise} }})"),
    }
}

fn numbers(values: &[i64]) -> String {
    let all: Vec<String> = values.iter().map(i64::to_string).collect();
    all.join(" ")
}

/// Bytes as a string of C; what cannot be printed is written in hexadecimal.
fn quoted(values: &[i64]) -> String {
    let mut text = String::from("\"");
    for value in values {
        let byte = (*value & 0xFF) as u8;
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b'\n' => text.push_str("\\n"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push('"');
    text
}
