//! Rows with aligned columns.

use crate::style::Style;

/// How a column's cells stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A table; columns are as wide as their widest cell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    heads: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(heads: &[(&str, Align)]) -> Table {
        Table { heads: heads.iter().map(|(head, align)| ((*head).to_owned(), *align)).collect(), rows: Vec::new() }
    }

    /// Adds a row, which must have a cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table as lines, indented by two.
    pub fn render(&self, style: Style) -> String {
        let width = |column: usize, head: &str| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
            cells.chain([head.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = self.heads.iter().enumerate().map(|(i, (head, _))| width(i, head)).collect();
        let line = |cells: &mut dyn Iterator<Item = &String>| {
            let mut out = String::new();
            for ((cell, width), (_, align)) in cells.zip(&widths).zip(&self.heads) {
                match align {
                    Align::Left => out += &format!("  {cell:<width$}"),
                    Align::Right => out += &format!("  {cell:>width$}"),
                }
            }
            out.trim_end().to_owned()
        };
        let mut out = style.bold(&line(&mut self.heads.iter().map(|(head, _)| head))) + "\n";
        for row in &self.rows {
            out += &(line(&mut row.iter()) + "\n");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Table};
    use crate::style::Style;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&[("n", Align::Right), ("sure", Align::Left), ("x", Align::Right)]);
        table.row(vec!["100".into(), "no".into(), "1".into()]);
        assert_eq!(table.render(Style::default()), "    n  sure  x\n  100  no    1\n");
    }
}
