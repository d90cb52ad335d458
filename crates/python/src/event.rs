//! What happens in a search, as JSON.

use serde_json::{Value, json};
use slowpath::{Event, Progress};

/// An object with a `kind`.
pub fn to_json(progress: &Progress<'_>) -> Value {
    match progress {
        Progress::Compiling => json!({"kind": "compiling"}),
        Progress::Begun { limit, .. } => json!({"kind": "begun", "seconds": limit.as_secs_f64()}),
        Progress::Search(Event::Trying { size, technique, seconds_left }) => {
            json!({"kind": "trying", "size": size, "technique": technique.to_string(), "seconds": seconds_left})
        }
        Progress::Search(Event::Tried { size, technique, tried }) => {
            json!({"kind": "tried", "size": size, "technique": technique.to_string(), "tried": tried})
        }
        Progress::Search(Event::Worse { size, technique, cost }) => {
            json!({"kind": "worse", "size": size, "technique": technique.to_string(), "cost": cost})
        }
        Progress::Replaying { size } => json!({"kind": "replaying", "size": size}),
        Progress::Averaging { size } => json!({"kind": "averaging", "size": size}),
        Progress::Done(result) => json!({"kind": "done", "size": result.size, "cost": result.cost, "result": result}),
        Progress::Disagreement(text) => json!({"kind": "disagreement", "text": text}),
    }
}
