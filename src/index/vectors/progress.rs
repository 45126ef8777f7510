//! How far the building of an index is.

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Vectors enter the graph.
    Inserting,
    /// What cannot be reached is linked.
    Repairing,
    /// The files are written.
    Writing,
}

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    /// Vectors done.
    pub done: u64,
    pub total: u64,
}
