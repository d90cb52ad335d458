//! Published figures by size.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// Figures by size.
pub type BySize<T> = BTreeMap<i64, T>;

/// A published figure, or a word in its place, such as OOT.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Figure {
    Number(f64),
    Word(String),
}

impl Figure {
    /// The figure, where it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Figure::Number(number) => Some(*number),
            Figure::Word(_) => None,
        }
    }
}

/// Keys of TOML tables are text.
pub(crate) fn by_size<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<BySize<T>, D::Error> {
    let by_text = BTreeMap::<String, T>::deserialize(input)?;
    let size = |text: &str| text.parse().map_err(|_| D::Error::custom(format!("`{text}` is not a size")));
    by_text.into_iter().map(|(text, value)| Ok((size(&text)?, value))).collect()
}
