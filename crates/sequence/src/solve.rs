//! Exact linear equations, one at a time: a contradiction shows as soon as it arises.

use crate::ratio::Ratio;

/// Equations in row echelon form over a fixed number of unknowns.
pub(crate) struct System {
    unknowns: usize,
    /// Rows by the column of their leading one; each has the unknowns' coefficients and then the right-hand side.
    rows: Vec<Option<Vec<Ratio>>>,
    rank: usize,
}

impl System {
    pub fn new(unknowns: usize) -> System {
        System { unknowns, rows: vec![None; unknowns], rank: 0 }
    }

    /// Every unknown is settled.
    pub fn is_determined(&self) -> bool {
        self.rank == self.unknowns
    }

    /// Adds an equation. `None`: it contradicts those before, or the numbers became too large to be sure.
    pub fn add(&mut self, coefficients: &[i128], right: i128) -> Option<()> {
        let mut row: Vec<Ratio> = coefficients.iter().copied().map(Ratio::whole).collect();
        row.push(Ratio::whole(right));
        for column in 0..self.unknowns {
            if row[column].is_zero() {
                continue;
            }
            let Some(pivot) = &self.rows[column] else {
                let lead = row[column];
                for value in &mut row[column..] {
                    *value = value.over(lead)?;
                }
                self.rows[column] = Some(row);
                self.rank += 1;
                return Some(());
            };
            let factor = row[column];
            for (value, above) in row.iter_mut().zip(pivot).skip(column) {
                if !above.is_zero() {
                    *value = value.minus(factor.times(*above)?)?;
                }
            }
        }
        row[self.unknowns].is_zero().then_some(())
    }

    /// The one solution. `None` while unknowns are free.
    pub fn solution(&self) -> Option<Vec<Ratio>> {
        let mut values = vec![Ratio::ZERO; self.unknowns];
        for column in (0..self.unknowns).rev() {
            let row = self.rows[column].as_ref()?;
            let mut value = row[self.unknowns];
            for later in column + 1..self.unknowns {
                value = value.minus(row[later].times(values[later])?)?;
            }
            values[column] = value;
        }
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lines_meet_in_a_point_and_a_third_contradicts() {
        let mut system = System::new(2);
        system.add(&[1, 1], 3).unwrap();
        assert!(system.solution().is_none());
        system.add(&[1, -1], 0).unwrap();
        let half = Ratio::whole(3).over(Ratio::whole(2)).unwrap();
        assert_eq!(system.solution(), Some(vec![half, half]));
        assert!(system.add(&[2, 0], 3).is_some());
        assert!(system.add(&[2, 0], 4).is_none());
    }
}
