//! Hashes as people read them.

/// Bytes in hexadecimal: two lower-case digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_a_byte() {
        assert_eq!(hexadecimal(&[]), "");
        assert_eq!(hexadecimal(&[0, 7, 0x1F, 0xAB, 0xFF]), "00071fabff");
    }
}
