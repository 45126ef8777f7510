//! Every fictional organization by its number: each is drawn from a stream of its own, so that a return
//! may name any other without that being kept.

use super::options::Options;
use super::random::Random;
use super::row::Row;

/// EIN prefixes that are absent from the IRS's list of issued ones ("How EINs are assigned and
/// valid EIN prefixes"): 17, 18 and 19 are among its gaps between 16 and 20, and so on.
pub(super) const PREFIXES: [u32; 15] = [7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96];

/// EINs of one prefix.
pub(super) const EINS_OF_PREFIX: u64 = 10_000_000;

/// The organizations of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Population {
    seed: u64,
    count: u64,
}

impl Population {
    pub(super) fn of(options: &Options) -> Self {
        Self { seed: options.seed, count: options.organizations.get() }
    }

    /// How many there are.
    pub(super) fn count(self) -> u64 {
        self.count
    }

    /// Draws the organization of a number below the count; gives what is left of its stream.
    pub(super) fn draw(self, index: u64, row: &mut Row) -> Random {
        let stride = PREFIXES.len() as u64 * EINS_OF_PREFIX / self.count;
        let mut random = Random::new(self.seed, index);
        let position = index * stride + random.below(stride);
        let prefix = PREFIXES[(position / EINS_OF_PREFIX) as usize];
        let ein = prefix * EINS_OF_PREFIX as u32 + (position % EINS_OF_PREFIX) as u32;
        row.draw(self.seed, index, ein, &mut random);
        random
    }
}
