//! Inputs as pictures: bars, bytes, matrices. Values that are no finite numbers are drawn hollow.

use maud::{Markup, html};
use serde_json::Value;

use crate::html::kind::Kind;

/// Bars, bytes and rows of a matrix that are drawn; of more, the first.
const MOST_BARS: usize = 256;
const MOST_BYTES: usize = 1024;
const MOST_ROWS: usize = 32;
/// Matrices up to so many rows have their numbers written into the cells.
const MOST_WRITTEN: usize = 10;
const BYTES_IN_A_ROW: usize = 16;

/// The drawing, and a word on what it leaves out.
pub fn draw(name: &str, value: &Value, kind: Kind) -> Markup {
    let Some(elements) = value.as_array() else { return html! {} };
    let (drawing, shown) = match kind {
        Kind::Nothing => return html! {},
        Kind::Bars => (bars(name, elements), MOST_BARS),
        Kind::Bytes => (hex(elements), MOST_BYTES),
        Kind::Matrix(side) => {
            (matrix(name, elements, side), if side > MOST_ROWS { MOST_ROWS * MOST_ROWS } else { usize::MAX })
        }
    };
    html! {
        figure {
            (drawing)
            @if elements.len() > shown { figcaption { "the first " (shown) " of " (elements.len()) " elements" } }
        }
    }
}

/// Finite numbers only.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

/// The least and the greatest, with zero between them.
fn span<'a>(elements: impl Iterator<Item = &'a Value>) -> (f64, f64) {
    elements.filter_map(number).fold((0.0, 0.0), |(low, high), x| (f64::min(low, x), f64::max(high, x)))
}

/// Where `x` is between the two, from 0 to 1; safe for differences that are too large to be numbers.
fn share(x: f64, (low, high): (f64, f64)) -> f64 {
    let whole = high / 2.0 - low / 2.0;
    if whole > 0.0 { (x / 2.0 - low / 2.0) / whole } else { 0.0 }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn bars(name: &str, elements: &[Value]) -> Markup {
    const HEIGHT: f64 = 100.0;
    let shown = &elements[..elements.len().min(MOST_BARS)];
    let range = span(shown.iter());
    let zero = HEIGHT * (1.0 - share(0.0, range));
    let step = if shown.len() <= 40 { 16 } else { 6 };
    let width = shown.len() * step;
    html! {
        div.scroll {
            svg.bars viewBox=(format!("0 -1 {width} {}", HEIGHT + 3.0)) width=(width) height=(HEIGHT + 3.0) role="img"
                aria-label=(format!("bars of {name}")) {
                @for (index, element) in shown.iter().enumerate() {
                    @let top = number(element).map(|x| HEIGHT * (1.0 - share(x, range)));
                    @let (from, to) = top.map_or((0.0, HEIGHT), |top| (top.min(zero), top.max(zero)));
                    rect.bar.none[top.is_none()] x=(index * step) width=(step - 2) y=(format!("{from:.2}"))
                        height=(format!("{:.2}", (to - from).max(1.0))) {
                        title { (name) "[" (index) "] = " (plain(element)) }
                    }
                }
                line.zero x1="0" x2=(width) y1=(format!("{zero:.2}")) y2=(format!("{zero:.2}")) {}
            }
        }
    }
}

fn hex(elements: &[Value]) -> Markup {
    let bytes: Vec<u8> =
        elements.iter().take(MOST_BYTES).map(|element| element.as_i64().unwrap_or_default() as u8).collect();
    // As wide as the first row, so that the text of a short input is not far away.
    let width = (bytes.len().min(BYTES_IN_A_ROW) * 3).saturating_sub(1);
    let readable = |byte: &u8| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '·' };
    let line = |(row, bytes): (usize, &[u8])| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String = bytes.iter().map(readable).collect();
        format!("{:04x}  {:<width$}  {text}\n", row * BYTES_IN_A_ROW, digits.join(" "))
    };
    let lines: String = bytes.chunks(BYTES_IN_A_ROW).enumerate().map(line).collect();
    html! { pre.hex { (lines) } }
}

fn matrix(name: &str, elements: &[Value], side: usize) -> Markup {
    let rows = side.min(MOST_ROWS);
    let cell = if side <= MOST_WRITTEN { 44 } else { 14 };
    let range = span(elements.iter());
    html! {
        div.scroll {
            svg.matrix viewBox=(format!("0 0 {0} {0}", rows * cell)) width=(rows * cell) height=(rows * cell) role="img"
                aria-label=(format!("matrix {name}")) {
                @for (row, values) in elements.chunks(side.max(1)).take(rows).enumerate() {
                    @for (column, value) in values.iter().take(rows).enumerate() {
                        @let finite = number(value);
                        @let depth = finite.map_or(0.0, |x| 0.06 + 0.54 * share(x, range));
                        rect.cell.none[finite.is_none()] x=(column * cell) y=(row * cell) width=(cell - 1) height=(cell - 1)
                            fill-opacity=(format!("{depth:.2}")) {
                            title { (name) "[" (row) "][" (column) "] = " (plain(value)) }
                        }
                        @if side <= MOST_WRITTEN && plain(value).len() <= 5 {
                            text x=(column * cell + cell / 2) y=(row * cell + cell / 2 + 4) { (plain(value)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{draw, share};
    use crate::html::kind::Kind;

    #[test]
    fn bytes_are_hexadecimal_and_text() {
        let drawn = draw("s", &json!([60, 97, -1]), Kind::Bytes).into_string();
        assert!(drawn.contains("0000  3c 61 ff  &lt;a·"), "{drawn}");
    }

    #[test]
    fn every_element_has_its_bar_and_the_rest_is_counted() {
        let drawn = draw("a", &json!([3, -1, "NaN", 0]), Kind::Bars).into_string();
        assert_eq!(drawn.matches("<rect").count(), 4);
        assert_eq!(drawn.matches("bar none").count(), 1);
        let many: Vec<u32> = (0..1000).collect();
        let drawn = draw("a", &json!(many), Kind::Bars).into_string();
        assert!(drawn.matches("<rect").count() == 256 && drawn.contains("the first 256 of 1000"), "{drawn}");
    }

    #[test]
    fn a_matrix_has_a_cell_for_each_element() {
        let drawn = draw("m", &json!([0, 1, 1, 0]), Kind::Matrix(2)).into_string();
        assert_eq!(drawn.matches("<rect").count(), 4);
        assert!(drawn.contains("m[1][0] = 1"));
    }

    #[test]
    fn shares_of_the_widest_range_are_numbers() {
        assert_eq!(share(0.0, (f64::MIN, f64::MAX)), 0.5);
        assert_eq!(share(0.0, (0.0, 0.0)), 0.0);
    }
}
