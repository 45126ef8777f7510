//! PDF: texts with their places, put into reading order.
//!
//! `file` finds objects, `filter` unpacks streams, `font` and `cmap` tell what codes show, `content` runs pages to
//! `segment`s, `furniture` removes running heads, `columns` orders what is left, `paragraphs` puts lines together.
//!
//! The reader is Almoner's own. Of the crates for PDF, one unpacks streams without a bound, one parses an object as
//! often as a crafted table of references lists it and spells out every range of a font's codes, and one panics on a
//! hundred kinds of damage; text alone needs little of the format.

mod cmap;
mod columns;
mod content;
mod file;
mod filter;
mod font;
mod furniture;
mod object;
mod paragraphs;
mod segment;

use super::budget::Budget;
use super::passages;
use super::{Format, Report, ReportError, Unread, UnreadPage, dashed_eins};
use content::{Contents, PageText};
use segment::Segment;

/// Pieces of lines that a report may have: a page has some hundred, a map some thousand.
const SEGMENTS_MAX: usize = 2_000_000;

pub(super) fn read(bytes: &[u8], budget: &mut Budget) -> Result<Report, ReportError> {
    let file = file::File::open(bytes, budget)?;
    let mut contents = Contents::new(&file);
    let mut pages: Vec<Vec<Segment>> = Vec::new();
    let mut unread = Vec::new();
    let mut segments = 0;
    file.each_page(budget, &mut |page, budget| {
        let text = contents.page(page, budget)?;
        unread.extend(why_unread(&text).map(|why| UnreadPage { page: budget.page, why }));
        segments += text.segments.len();
        if segments > SEGMENTS_MAX {
            return Err(ReportError::TooManyPieces { page: budget.page, max: SEGMENTS_MAX });
        }
        pages.push(text.segments);
        Ok(())
    })?;
    let texts: Vec<&str> = pages.iter().flatten().map(|segment| segment.text.as_str()).collect();
    let eins = dashed_eins(&texts.join("\n"));
    furniture::remove(&mut pages);
    let mut found = Vec::new();
    for (page, segments) in (1..).zip(pages) {
        budget.spend(segments.len())?;
        for block in columns::blocks(segments) {
            paragraphs::of_block(block, page, &mut found);
        }
    }
    let body = paragraphs::body_size(&found);
    let mut passages = Vec::new();
    for paragraph in paragraphs::mend(found, body) {
        let (kind, text) = paragraphs::kind_of(&paragraph, body);
        passages::add(&mut passages, budget, paragraph.page, kind, text)?;
    }
    Ok(Report { format: Format::Pdf, pages: budget.page, passages, unread, eins })
}

/// Why a page that shows something has no text.
fn why_unread(text: &PageText) -> Option<Unread> {
    if text.unknown > text.letters {
        return Some(Unread::Undecodable);
    }
    if text.letters > 0 {
        return None;
    }
    if text.is_damaged {
        return Some(Unread::Damaged);
    }
    (text.pictures > 0).then_some(Unread::Scanned)
}
