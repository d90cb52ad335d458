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

    /// Leaves out columns, in this order, until what is left fits the terminal.
    pub fn fit(mut self, style: Style, least_needed: &[&str]) -> Table {
        let Some(columns) = style.columns else { return self };
        for name in least_needed {
            if self.widths().iter().map(|width| width + 2).sum::<usize>() <= columns {
                break;
            }
            if let Some(at) = self.heads.iter().position(|(head, _)| head == name) {
                self.heads.remove(at);
                self.rows.iter_mut().filter(|row| at < row.len()).for_each(|row| drop(row.remove(at)));
            }
        }
        self
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize, head: &str| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
            cells.chain([head.chars().count()]).max().unwrap_or(0)
        };
        self.heads.iter().enumerate().map(|(i, (head, _))| width(i, head)).collect()
    }

    /// The table as lines, indented by two.
    pub fn render(&self, style: Style) -> String {
        let widths = self.widths();
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
    fn what_is_least_needed_is_left_out_of_a_narrow_terminal() {
        let mut table = Table::new(&[("n", Align::Right), ("sure", Align::Left), ("x", Align::Right)]);
        table.row(vec!["100".into(), "no".into(), "1".into()]);
        let narrow = Style { columns: Some(10), ..Style::default() };
        assert_eq!(table.clone().fit(narrow, &["sure", "x"]).render(narrow), "    n  x\n  100  1\n");
        assert_eq!(table.clone().fit(Style::default(), &["sure"]).render(narrow), table.render(narrow));
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&[("n", Align::Right), ("sure", Align::Left), ("x", Align::Right)]);
        table.row(vec!["100".into(), "no".into(), "1".into()]);
        assert_eq!(table.render(Style::default()), "    n  sure  x\n  100  no    1\n");
    }
}
