//! Published figures of several tools on the same program: costs of what they found, or seconds.

use serde::Deserialize;

use crate::cells::OtherRow;
use crate::figure::{BySize, Figure, by_size};

/// What each tool came to. Costs are in the paper's own unit; only their parts of `manual` can be compared.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Tools {
    #[serde(default, deserialize_with = "by_size")]
    manual: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    ese: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    rand: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    dfs: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    wise: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    spf_wca: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    evosuite: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    xstressor_seconds: BySize<Figure>,
    #[serde(default, deserialize_with = "by_size")]
    wise_seconds: BySize<Figure>,
    #[serde(default, deserialize_with = "by_size")]
    spf_wca_seconds: BySize<Figure>,
}

impl Tools {
    /// Whether the paper gives costs.
    pub fn has_ratios(&self) -> bool {
        !self.manual.is_empty()
    }

    /// Whether the paper gives seconds to make an input.
    pub fn has_seconds(&self) -> bool {
        !self.xstressor_seconds.is_empty()
    }

    /// The sizes of the paper.
    pub fn sizes(&self) -> impl Iterator<Item = i64> {
        self.manual.keys().chain(self.xstressor_seconds.keys()).copied()
    }

    fn ratios(&self, costs: &BySize<f64>) -> BySize<f64> {
        let part = |(n, cost): (&i64, &f64)| self.manual.get(n).map(|known| (*n, cost / known));
        costs.iter().filter_map(part).collect()
    }

    /// Parts of the known worst cost that ESE reached.
    pub fn ese(&self) -> BySize<f64> {
        self.ratios(&self.ese)
    }

    /// Those of SPF-WCA.
    pub fn spf_wca(&self) -> BySize<f64> {
        self.ratios(&self.spf_wca)
    }

    /// Seconds of XSTRESSOR, where it came to an end.
    pub fn xstressor(&self) -> BySize<f64> {
        self.xstressor_seconds.iter().filter_map(|(n, figure)| Some((*n, figure.number()?))).collect()
    }

    /// What other tools came to in costs, each row by its tool.
    pub fn other_ratios(&self) -> Vec<OtherRow> {
        let rows = [("RAND", &self.rand), ("DFS", &self.dfs), ("WISE", &self.wise), ("EvoSuite", &self.evosuite)];
        let figures = |costs| self.ratios(costs).into_iter().map(|(n, ratio)| (n, Figure::Number(ratio))).collect();
        rows.map(|(title, costs)| OtherRow { title: title.to_owned(), ratios: true, figures: figures(costs) }).into()
    }

    /// What the tools came to in seconds, at these sizes; XSTRESSOR only where it gave up, as its numbers stand beside ours.
    pub fn other_seconds(&self, sizes: &[i64]) -> Vec<OtherRow> {
        let given_up = |figures: &BySize<Figure>| -> BySize<Figure> {
            figures.iter().filter(|(_, f)| f.number().is_none()).map(|(n, f)| (*n, f.clone())).collect()
        };
        let rows = [
            ("XSTRESSOR, s", given_up(&self.xstressor_seconds)),
            ("WISE, s", self.wise_seconds.clone()),
            ("SPF-WCA, s", self.spf_wca_seconds.clone()),
        ];
        let rows = rows.map(|(title, mut figures)| {
            figures.retain(|n, _| sizes.contains(n));
            OtherRow { title: title.to_owned(), ratios: false, figures }
        });
        rows.into_iter().filter(|row| !row.figures.is_empty()).collect()
    }
}
