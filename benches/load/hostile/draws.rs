//! What is drawn here beside numbers.

use crate::chance::Rng;

impl Rng {
    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        let (first, second, third) = (high >> 32, (high >> 16) & 0xffff, high & 0xfff);
        let (fourth, last) = (0x8000 | ((low >> 48) & 0x3fff), low & 0xffff_ffff_ffff);
        format!("{first:08x}-{second:04x}-4{third:03x}-{fourth:04x}-{last:012x}")
    }
}
