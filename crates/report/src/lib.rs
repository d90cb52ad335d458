//! The Findings document, and its forms: a table and a page for people, JSON for programs. Runs nothing.

mod check;
mod compare;
pub mod export;
mod findings;
mod flame;
pub mod github;
mod growth;
mod html;
mod human;
mod input;
mod input_law;
mod json;
mod junit;
mod listing;
pub mod markdown;
mod next;
mod number;
mod plot;
mod policy;
mod sarif;
mod scan;
mod source_options;
mod source_text;
mod style;
mod synthesis;
mod table;
mod tree;
mod verdict;
mod visible;
mod wrap;

pub use check::{
    CHECK_SCHEMA, CheckReport, CheckedBound, CheckedTarget, Evidence, Judgement, Rule, Trouble, responsible,
};
pub use compare::{CompareError, Comparison, compare};
pub use findings::{
    AverageCost, Compilation, Confidence, Cut, Findings, HardWork, HotLine, LayerWork, ModuleIdentity, SCHEMA,
    Settings, SizeResult, SolverWork, TargetInfo, TechniqueWork, TrapReport,
};
pub use findings::{CalledFunction, Spent, guilty};
pub use flame::{Flame, FlameFrame};
pub use growth::{GrowthReport, PredictedCost};
pub use html::{
    Beside, IndexEntry, NativeTimes, fragment as html_fragment, index as html_index, page as html,
    page_beside as html_beside,
};
pub use human::human;
pub use input::{Texts, shorten};
pub use input_law::{CounterReport, InputFormula, InputLawReport, PatternReport};
pub use json::{DocumentError, from_json, to_json, value_to_json};
pub use junit::junit;
pub use listing::{Callable, LISTING_SCHEMA, ListedFile, Listing};
pub use next::next;
pub use number::{amount, bytes, count, duration};
pub use policy::{LearnedPolicy, PolicyReport, PolicyRule};
pub use sarif::sarif;
pub use scan::{SCAN_SCHEMA, Scan, Scanned, Skipped};
pub use source_options::SourceOptions;
pub use source_text::{SourceFile, SourceText};
pub use style::Style;
pub use synthesis::SynthesisReport;
pub use table::{Align, Table};
pub use tree::{Tree, TreePath, TreeSite};
pub use verdict::verdict;
pub use visible::{is_active, visible, visible_but_colours};
