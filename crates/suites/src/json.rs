//! A comparison as a document for programs.

use serde_json::{Map, Value, json};

use crate::cells::{BenchReport, Cell, ProgramReport, Verdict};

impl BenchReport {
    /// As `bench --format json` prints it.
    pub fn to_json(&self) -> Value {
        json!({
            "suite": self.suite,
            "met": self.count(|verdict| verdict == Verdict::Met),
            "missed": self.count(|verdict| verdict == Verdict::Missed { stated: false }),
            "missed_as_stated": self.count(|verdict| verdict == Verdict::Missed { stated: true }),
            "beyond": self.count(|verdict| verdict == Verdict::Beyond),
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "programs": self.programs.iter().map(program).collect::<Vec<_>>(),
        })
    }
}

fn program(program: &ProgramReport) -> Value {
    let mut out = json!({
        "name": program.name,
        "n": program.n,
        "policy": program.policy,
        "notes": program.notes,
        "seconds": program.seconds,
        "cells": program.cells.iter().map(cell).collect::<Vec<_>>(),
        "others": program.others.iter().map(|row| json!({
            "title": row.title.trim(),
            "figures": row.figures.iter().map(|(n, figure)| (n.to_string(), json!(figure))).collect::<Map<_, _>>(),
        })).collect::<Vec<_>>(),
        "skipped": program.skipped.iter().map(|skipped| json!({
            "statistic": skipped.statistic.name(),
            "size": skipped.size,
            "published": skipped.published.map(number),
        })).collect::<Vec<_>>(),
    });
    if let Some(why) = &program.given_up {
        out["given_up"] = json!(why);
    }
    out
}

fn cell(cell: &Cell) -> Value {
    let mut out = json!({
        "statistic": cell.statistic.name(),
        "size": cell.size,
        "published": cell.published.map(number),
        "ours": cell.ours.map(number),
        "verdict": cell.verdict.name(),
    });
    if cell.illegible {
        out["illegible"] = json!(true);
    }
    if let Some(why) = &cell.why {
        out["why"] = json!(why);
    }
    out
}

/// Counts as whole numbers, times as they are.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { Value::from(value as i64) } else { Value::from(value) }
}
