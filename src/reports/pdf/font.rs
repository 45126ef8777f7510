//! Fonts: what the codes of a text show, and how wide each is.

use std::collections::HashMap;
use std::sync::LazyLock;

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

use super::super::ReportError;
use super::super::budget::Budget;
use super::cmap::ToUnicode;
use super::file::File;
use super::object::{Dict, Object};
use crate::table::table;

/// Widths in thousandths of the font's size where a font tells none: letters have about half of it on average.
const USUAL_WIDTH: f32 = 500.0;
const FULL_WIDTH: f32 = 1000.0;

/// Codes whose widths a composite font may list.
const WIDTHS_MAX: usize = 1 << 16;

/// The weight of bold letters in a font's descriptor, whose usual one is 400.
const BOLD_MIN: f64 = 600.0;

/// A code of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Code<'a> {
    /// `None` where the font does not tell.
    pub(super) text: Option<&'a str>,
    /// In thousandths of the font's size.
    pub(super) width: f32,
    /// Whether it is the byte of a blank, which word spacing widens.
    pub(super) is_blank: bool,
}

/// A font.
#[derive(Debug)]
pub(super) struct Font {
    to_unicode: Option<ToUnicode>,
    kind: FontKind,
    pub(super) is_bold: bool,
}

#[derive(Debug)]
enum FontKind {
    /// Of codes of a byte.
    Simple { texts: Vec<Option<String>>, first: usize, widths: Vec<f32>, missing: f32 },
    /// Of codes of two bytes.
    Composite { widths: HashMap<u32, f32>, usual: f32 },
}

impl Font {
    /// Reads a font's dictionary.
    pub(super) fn read(
        file: &File<'_>,
        dict: &Dict,
        budget: &mut Budget,
    ) -> Result<Self, ReportError> {
        let to_unicode = match dict.get("ToUnicode") {
            Some(stream) => match file.stream(stream, budget)? {
                Some(stream) => file.unpack(&stream, budget)?,
                None => None,
            },
            None => None,
        };
        let to_unicode = to_unicode.map(|bytes| ToUnicode::parse(&bytes, budget)).transpose()?;
        let (kind, descriptor) = if dict.is_of("Subtype", "Type0") {
            composite(file, dict, budget)?
        } else {
            simple(file, dict, budget)?
        };
        let name = dict.get("BaseFont").and_then(Object::name).unwrap_or_default();
        let name = String::from_utf8_lossy(name).to_lowercase();
        let weight = descriptor.get("FontWeight").and_then(Object::number).unwrap_or_default();
        let is_bold = weight >= BOLD_MIN
            || ["bold", "black", "heavy"].iter().any(|weight| name.contains(weight));
        Ok(Self { to_unicode, kind, is_bold })
    }

    /// The codes of a text.
    pub(super) fn codes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Code<'a>> {
        let bytes = if matches!(self.kind, FontKind::Simple { .. }) { 1 } else { 2 };
        text.chunks(bytes).map(move |code| {
            let number = code.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
            let mapped = self.to_unicode.as_ref().and_then(|table| table.text(number));
            let (own, width) = match &self.kind {
                FontKind::Simple { texts, first, widths, missing } => {
                    let at = (number as usize).checked_sub(*first);
                    let width = at.and_then(|at| widths.get(at)).copied().unwrap_or(*missing);
                    (texts.get(number as usize).and_then(Option::as_deref), width)
                }
                FontKind::Composite { widths, usual } => {
                    (None, widths.get(&number).copied().unwrap_or(*usual))
                }
            };
            Code { text: mapped.or(own), width, is_blank: code == b" " }
        })
    }
}

/// A font of codes of a byte, and its descriptor.
fn simple(
    file: &File<'_>,
    dict: &Dict,
    budget: &mut Budget,
) -> Result<(FontKind, Dict), ReportError> {
    let descriptor = file.dict(dict, "FontDescriptor", budget)?;
    let first = file.value(dict, "FirstChar", budget)?.count().unwrap_or_default();
    let listed = file.value(dict, "Widths", budget)?;
    let listed = listed.array().unwrap_or_default().iter().take(256);
    let widths =
        listed.map(|width| Ok(file.resolve(width, budget)?.number().unwrap_or_default() as f32));
    let mut widths = widths.collect::<Result<Vec<f32>, ReportError>>()?;
    let is_own_space = dict.is_of("Subtype", "Type3");
    if is_own_space {
        // Widths in a space of its own, by its matrix.
        let matrix = file.value(dict, "FontMatrix", budget)?;
        let scale = matrix.array().and_then(|matrix| matrix.first()).and_then(Object::number);
        let scale = scale.unwrap_or(0.001) as f32 * 1000.0;
        widths.iter_mut().for_each(|width| *width *= scale);
    }
    let said = descriptor.get("MissingWidth").and_then(Object::number);
    let missing = said.filter(|_| !widths.is_empty()).map_or(USUAL_WIDTH, |width| width as f32);
    let encoding = file.value(dict, "Encoding", budget)?;
    let differences = match &encoding {
        Object::Dict(encoding) => file.value(encoding, "Differences", budget)?,
        _ => Object::Null,
    };
    let texts = texts_of(dict, &encoding, differences.array().unwrap_or_default());
    Ok((FontKind::Simple { texts, first, widths, missing }, descriptor))
}

/// What the codes of a simple font show.
fn texts_of(dict: &Dict, encoding: &Object, differences: &[Object]) -> Vec<Option<String>> {
    let base = match encoding {
        Object::Name(name) => Some(name.as_slice()),
        Object::Dict(encoding) => encoding.get("BaseEncoding").and_then(Object::name),
        _ => None,
    };
    let name = dict.get("BaseFont").and_then(Object::name).unwrap_or_default();
    let name = String::from_utf8_lossy(name);
    let is_symbolic = name.contains("Symbol") || name.contains("Dingbats");
    let mut texts: Vec<Option<String>> = match base {
        Some(b"MacRomanEncoding") => of_encoding(MACINTOSH),
        Some(b"WinAnsiEncoding") => of_encoding(WINDOWS_1252),
        _ if is_symbolic => vec![None; 256],
        _ if dict.is_of("Subtype", "TrueType") => of_encoding(WINDOWS_1252),
        _ => standard(),
    };
    let mut code = 0;
    for entry in differences {
        match entry {
            Object::Number(number) => code = *number as usize,
            Object::Name(name) => {
                if let Some(text) = texts.get_mut(code) {
                    *text = glyph_text(&String::from_utf8_lossy(name));
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    texts
}

fn of_encoding(encoding: &'static Encoding) -> Vec<Option<String>> {
    (0..=u8::MAX)
        .map(|byte| {
            let text = encoding.decode_without_bom_handling(&[byte]).0.into_owned();
            Some(text).filter(|text| !text.contains(char::is_control))
        })
        .collect()
}

/// The encoding of Type 1 fonts that name none (Annex D.2): ASCII but for two quotes, and what is seen of the rest.
fn standard() -> Vec<Option<String>> {
    const ABOVE: [(u8, char); 28] = [
        (0x27, '’'),
        (0x60, '‘'),
        (0xA1, '¡'),
        (0xA2, '¢'),
        (0xA3, '£'),
        (0xA4, '⁄'),
        (0xA5, '¥'),
        (0xA7, '§'),
        (0xA9, '\''),
        (0xAA, '“'),
        (0xAB, '«'),
        (0xAC, '‹'),
        (0xAD, '›'),
        (0xB1, '–'),
        (0xB2, '†'),
        (0xB3, '‡'),
        (0xB4, '·'),
        (0xB6, '¶'),
        (0xB7, '•'),
        (0xB8, '‚'),
        (0xB9, '„'),
        (0xBA, '”'),
        (0xBB, '»'),
        (0xBC, '…'),
        (0xBD, '‰'),
        (0xBF, '¿'),
        (0xD0, '—'),
        (0xFB, 'ß'),
    ];
    let ascii = |code: u8| code.is_ascii_graphic() || code == b' ';
    let texts = (0..=u8::MAX).map(|code| ascii(code).then(|| char::from(code).to_string()));
    let mut texts: Vec<Option<String>> = texts.collect();
    for (code, character) in ABOVE {
        texts[usize::from(code)] = Some(character.to_string());
    }
    texts[0xAE] = Some("fi".to_owned());
    texts[0xAF] = Some("fl".to_owned());
    texts
}

/// What a glyph of a name shows: by the table, or by the number in its name.
fn glyph_text(name: &str) -> Option<String> {
    static NAMES: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
        let text = |codes: &str| -> Option<String> {
            codes.split(' ').map(|code| from_hexadecimal(code.strip_prefix("U+")?)).collect()
        };
        table!("data/glyph_names.tsv").each(|[name, codes]| Some((name, text(codes)?))).collect()
    });
    // Variants follow a full stop, parts of a ligature stand between low lines.
    let name = name.split('.').next().unwrap_or_default();
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return letter.is_ascii_alphabetic().then(|| letter.to_string());
    }
    if let Some(text) = NAMES.get(name) {
        return Some(text.clone());
    }
    if name.contains('_') {
        return name.split('_').map(glyph_text).collect();
    }
    let coded = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'))?;
    from_hexadecimal(coded).map(String::from)
}

fn from_hexadecimal(digits: &str) -> Option<char> {
    let is_number = (4..=6).contains(&digits.len());
    is_number.then(|| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)).flatten()
}

/// A font of codes of two bytes, and its descriptor (9.7).
fn composite(
    file: &File<'_>,
    dict: &Dict,
    budget: &mut Budget,
) -> Result<(FontKind, Dict), ReportError> {
    let listed = file.value(dict, "DescendantFonts", budget)?;
    let descendant = match listed.array().and_then(|fonts| fonts.first()) {
        Some(font) => file.resolve(font, budget)?,
        None => Object::Null,
    };
    let descendant = descendant.dict().cloned().unwrap_or_default();
    let usual = file.value(&descendant, "DW", budget)?.number();
    let usual = usual.map_or(FULL_WIDTH, |width| width as f32);
    let listed = file.value(&descendant, "W", budget)?;
    let mut widths = HashMap::new();
    let mut rest = listed.array().unwrap_or_default();
    while let [first, second, behind @ ..] = rest {
        let first = first.count().unwrap_or_default() as u32;
        match file.resolve(second, budget)? {
            // A width for each code from the first on.
            Object::Array(of_codes) => {
                let room = WIDTHS_MAX.saturating_sub(widths.len());
                let of_codes =
                    of_codes.iter().take(room).map(|width| width.number().unwrap_or_default());
                let of_codes =
                    (0..).zip(of_codes).map(|(at, width)| (first.saturating_add(at), width as f32));
                widths.extend(of_codes);
                rest = behind;
            }
            // One for all codes up to the last.
            last => {
                let [width, behind @ ..] = behind else { break };
                let width = width.number().unwrap_or_default() as f32;
                let last = last.count().unwrap_or_default() as u32;
                let room = WIDTHS_MAX.saturating_sub(widths.len());
                let codes = (first..=last).take(room);
                budget.spend(codes.size_hint().0)?;
                widths.extend(codes.map(|code| (code, width)));
                rest = behind;
            }
        }
    }
    let descriptor = file.dict(&descendant, "FontDescriptor", budget)?;
    Ok((FontKind::Composite { widths, usual }, descriptor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_glyphs() {
        for (name, expected) in [
            ("A", Some("A")),
            ("eacute", Some("é")),
            ("f_f_i", Some("ffi")),
            ("fi", Some("fi")),
            ("quoteright.alt", Some("’")),
            ("uni2019", Some("’")),
            ("u1F600", Some("😀")),
            ("g123", None),
            (".notdef", None),
        ] {
            assert_eq!(glyph_text(name).as_deref(), expected, "{name}");
        }
    }
}
