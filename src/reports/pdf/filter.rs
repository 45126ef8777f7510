//! The filters of streams (ISO 32000-1, 7.4) that text needs. Those of pictures are left packed.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};

use super::super::ReportError;
use super::super::budget::Budget;
use super::object::{Dict, Object, hex_digit, is_blank};

/// Filters that a stream may have in a row.
const FILTERS_MAX: usize = 4;

/// The longest row of a predictor.
const ROW_BYTES_MAX: usize = 1 << 16;

/// Unpacks a stream by a dictionary without references; `None` where it cannot be unpacked, or has a filter of
/// pictures.
pub(super) fn unpack(
    dict: &Dict,
    packed: &[u8],
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>, ReportError> {
    let value = |long: &str, short: &str| {
        let long = dict.get(long).filter(|value| **value != Object::Null);
        long.or_else(|| dict.get(short)).cloned().unwrap_or_default()
    };
    let listed = |object: Object| match object {
        Object::Array(objects) => objects,
        Object::Null => Vec::new(),
        object => vec![object],
    };
    let filters = listed(value("Filter", "F"));
    let parameters = listed(value("DecodeParms", "DP"));
    if filters.len() > FILTERS_MAX {
        return Ok(None);
    }
    let mut bytes = packed.to_vec();
    budget.unpack(bytes.len())?;
    for (at, filter) in filters.iter().enumerate() {
        let parameters = parameters.get(at).and_then(Object::dict).cloned().unwrap_or_default();
        let max = budget.unpackable();
        let unpacked = match filter.name().unwrap_or_default() {
            b"FlateDecode" | b"Fl" => flate(&bytes, max).map(|rows| predicted(rows, &parameters)),
            b"LZWDecode" | b"LZW" => {
                let early = parameters.get("EarlyChange").and_then(Object::count) != Some(0);
                let rows = lzw(&bytes, usize::from(early), max);
                Some(predicted(rows, &parameters))
            }
            b"ASCII85Decode" | b"A85" => Some(ascii_85(&bytes)),
            b"ASCIIHexDecode" | b"AHx" => Some(ascii_hex(&bytes)),
            b"RunLengthDecode" | b"RL" => Some(run_length(&bytes, max)),
            _ => None,
        };
        let Some(unpacked) = unpacked else { return Ok(None) };
        budget.unpack(unpacked.len())?;
        bytes = unpacked;
    }
    Ok(Some(bytes))
}

/// Deflated bytes, up to one more than the most there may be. What breaks off is kept up to there; `None` where nothing
/// is.
fn flate(packed: &[u8], max: usize) -> Option<Vec<u8>> {
    let limit = max as u64 + 1;
    let mut bytes = Vec::new();
    let whole = ZlibDecoder::new(packed).take(limit).read_to_end(&mut bytes);
    if whole.is_err() && bytes.is_empty() {
        // Some lack the header of two bytes, or have a wrong one.
        let body = packed.get(2..).unwrap_or_default();
        let _ = DeflateDecoder::new(body).take(limit).read_to_end(&mut bytes);
    }
    (whole.is_ok() || !bytes.is_empty()).then_some(bytes)
}

fn lzw(packed: &[u8], early: usize, max: usize) -> Vec<u8> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    const CODES_MAX: usize = 4096;
    let mut bytes = Vec::new();
    // Where each code's bytes stand among those that were written.
    let mut codes: Vec<(usize, usize)> = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    let (mut buffer, mut bits, mut width) = (0_u32, 0_u32, 9_u32);
    for byte in packed {
        buffer = buffer << 8 | u32::from(*byte);
        bits += 8;
        if bits < width {
            continue;
        }
        bits -= width;
        let code = (buffer >> bits) as usize & ((1 << width) - 1);
        buffer &= (1 << bits) - 1;
        if code == END || bytes.len() > max {
            break;
        }
        if code == CLEAR {
            codes.clear();
            (last, width) = (None, 9);
            continue;
        }
        let start = bytes.len();
        match (code.checked_sub(END + 1), last) {
            (None, _) => bytes.push(code as u8),
            (Some(at), _) if at < codes.len() => {
                let (from, length) = codes[at];
                bytes.extend_from_within(from..from + length);
            }
            (Some(at), Some((from, length))) if at == codes.len() => {
                bytes.extend_from_within(from..from + length);
                bytes.push(bytes[from]);
            }
            // A code that nothing has defined.
            _ => break,
        }
        if let Some((from, length)) = last
            && codes.len() + END + 1 < CODES_MAX
        {
            // The bytes before and the first of these stand one behind the other.
            codes.push((from, length + 1));
        }
        last = Some((start, bytes.len() - start));
        let known = codes.len() + END + 1 + early;
        width = if known >= 2048 {
            12
        } else if known >= 1024 {
            11
        } else if known >= 512 {
            10
        } else {
            9
        };
    }
    bytes
}

fn ascii_85(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut group = Vec::with_capacity(5);
    let flush = |group: &mut Vec<u32>, bytes: &mut Vec<u8>| {
        let digits = group.len();
        if digits < 2 {
            return group.clear();
        }
        group.resize(5, 84);
        let value =
            group.iter().fold(0_u32, |sum, digit| sum.wrapping_mul(85).wrapping_add(*digit));
        bytes.extend_from_slice(&value.to_be_bytes()[..digits - 1]);
        group.clear();
    };
    for byte in packed {
        match byte {
            b'~' => break,
            b'z' if group.is_empty() => bytes.extend_from_slice(&[0; 4]),
            b'!'..=b'u' => {
                group.push(u32::from(byte - b'!'));
                if group.len() == 5 {
                    flush(&mut group, &mut bytes);
                }
            }
            _ => {}
        }
    }
    flush(&mut group, &mut bytes);
    bytes
}

fn ascii_hex(packed: &[u8]) -> Vec<u8> {
    let digits = packed.iter().take_while(|byte| **byte != b'>');
    let digits = digits.filter(|byte| !is_blank(**byte));
    let digits: Vec<u8> = digits.filter_map(|byte| hex_digit(*byte)).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default()).collect()
}

fn run_length(packed: &[u8], max: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = packed;
    while let Some((&length, behind)) = rest.split_first() {
        match usize::from(length) {
            _ if bytes.len() > max => break,
            128 => break,
            length @ ..128 => {
                let (copied, behind) = behind.split_at(behind.len().min(length + 1));
                bytes.extend_from_slice(copied);
                rest = behind;
            }
            length => {
                let Some((&byte, behind)) = behind.split_first() else { break };
                bytes.resize(bytes.len() + 257 - length, byte);
                rest = behind;
            }
        }
    }
    bytes
}

/// Takes back a predictor of rows (7.4.4.4): those of PNG, or of TIFF in whole bytes.
fn predicted(rows: Vec<u8>, parameters: &Dict) -> Vec<u8> {
    let number =
        |key: &str, usual: usize| parameters.get(key).and_then(Object::count).unwrap_or(usual);
    let predictor = number("Predictor", 1);
    let (colors, bits) =
        (number("Colors", 1).clamp(1, 32), number("BitsPerComponent", 8).clamp(1, 16));
    let columns = number("Columns", 1).clamp(1, ROW_BYTES_MAX);
    let pixel = (colors * bits).div_ceil(8);
    let row = (colors * bits * columns).div_ceil(8).clamp(1, ROW_BYTES_MAX);
    match predictor {
        2 if bits == 8 => {
            let mut bytes = rows;
            for row in bytes.chunks_mut(row) {
                for at in pixel..row.len() {
                    row[at] = row[at].wrapping_add(row[at - pixel]);
                }
            }
            bytes
        }
        10.. => of_png(&rows, row, pixel),
        _ => rows,
    }
}

fn of_png(rows: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::with_capacity(rows.len());
    let mut above = vec![0; row];
    for coded in rows.chunks(row + 1) {
        let Some((&kind, coded)) = coded.split_first() else { break };
        let mut current = vec![0; row];
        for (at, &byte) in coded.iter().enumerate() {
            let left = at.checked_sub(pixel).map_or(0, |at| current[at]);
            let corner = at.checked_sub(pixel).map_or(0, |at| above[at]);
            let up = above[at];
            let guess = match kind {
                1 => left,
                2 => up,
                3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
                4 => paeth(left, up, corner),
                _ => 0,
            };
            current[at] = byte.wrapping_add(guess);
        }
        bytes.extend_from_slice(&current[..coded.len()]);
        above = current;
    }
    bytes
}

/// Of three neighbours the one that is nearest to their plane.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let plane = i32::from(left) + i32::from(up) - i32::from(corner);
    let far = |one: u8| (plane - i32::from(one)).abs();
    if far(left) <= far(up) && far(left) <= far(corner) {
        left
    } else if far(up) <= far(corner) {
        up
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters() {
        assert_eq!(ascii_85(b"87cURD]i,\"Ebo80~>"), b"Hello World!");
        assert_eq!(ascii_hex(b"48 65 6C6c6F>00"), b"Hello");
        assert_eq!(run_length(&[2, b'a', b'b', b'c', 254, b'd', 128, 9], 100), b"abcddd");
        // The example of ISO 32000-1, 7.4.4.2.
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(lzw(&packed, 1, 100), [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
        assert_eq!(of_png(&[2, 1, 2, 2, 1, 1, 1, 5, 5], 2, 1), [1, 2, 2, 3, 5, 10]);
    }
}
