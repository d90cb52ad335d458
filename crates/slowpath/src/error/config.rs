//! What can be wrong with a `slowpath.toml`.

/// What is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("{0}: {1}\nslowpath check reads its targets from a slowpath.toml; --config names another file")]
    Unreadable(String, String),
    #[error("{file}:{line}: {message}")]
    Wrong { file: String, line: u32, message: String },
    #[error("--target {name}: {file} has no such target; it has {known}")]
    NoTarget { name: String, file: String, known: String },
}
