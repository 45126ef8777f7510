//! Reports of every kind, made here: what is read of them and what is refused. The nonprofits in them are fictional.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::record::PassageKind;
use crate::record::PassageKind::*;

/// A PDF of these objects, numbered from 1; the first is the catalog.
fn pdf_of(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    for (number, object) in (1..).zip(objects) {
        bytes.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    bytes.extend_from_slice(format!("trailer <</Root 1 0 R {trailer}>>\n%%EOF\n").as_bytes());
    bytes
}

fn stream(dict: &str, content: &[u8]) -> Vec<u8> {
    let mut object = format!("<<{dict} /Length {}>>\nstream\n", content.len()).into_bytes();
    object.extend_from_slice(content);
    object.extend_from_slice(b"\nendstream");
    object
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

const FONT: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

/// A PDF with a page for each content, in a font whose letters are all half as wide as high.
fn pdf(contents: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..contents.len()).map(|at| format!("{} 0 R", 4 + 2 * at)).collect();
    let pages = format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), kids.len());
    let mut objects: Vec<Vec<u8>> =
        vec![b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), pages.into_bytes(), FONT.into()];
    for (at, content) in contents.iter().enumerate() {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>/XObject<</X {0} 0 R>>>>/Contents {0} 0 R>>",
            5 + 2 * at
        );
        objects.push(page.into_bytes());
        objects.push(stream("/Filter/FlateDecode", &deflated(content.as_bytes())));
    }
    pdf_of(&objects, "")
}

/// A line of text in points from the lower left corner.
fn line(x: u32, y: u32, size: u32, text: &str) -> String {
    format!("BT /F {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n")
}

fn read_all(bytes: &[u8]) -> Result<Report, ReportError> {
    read(bytes, &Limits::default())
}

#[track_caller]
fn passages(bytes: &[u8]) -> Vec<(u32, PassageKind, String)> {
    let report = read_all(bytes).unwrap_or_else(|error| panic!("{error}"));
    report.passages.into_iter().map(|one| (one.page, one.kind, one.text)).collect()
}

#[track_caller]
fn check(bytes: &[u8], expected: &[(u32, PassageKind, &str)]) {
    let found = passages(bytes);
    let found: Vec<_> =
        found.iter().map(|(page, kind, text)| (*page, *kind, text.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn pdf_columns_heads_and_parted_words() {
    let page = |number: u32, body: &str| {
        let head = line(50, 780, 8, "Riverside Pantry Annual Report");
        format!("{head}{body}{}", line(290, 20, 8, &number.to_string()))
    };
    let first = [
        line(50, 740, 20, "A Year of Growth"),
        line(50, 700, 10, "In the left column we sup-"),
        line(320, 698, 10, "The right column comes after"),
        line(50, 688, 10, "ported many families with food"),
        line(320, 686, 10, "the left one, line by line."),
        line(50, 676, 10, "all through the year."),
        line(
            50,
            620,
            10,
            "A last line runs over both columns, so that it follows all of the columns above it.",
        ),
    ];
    let sentences = ["The second page is short.", "The third is shorter.", "The last one ends."];
    let [second, third, last] = sentences.map(|sentence| line(50, 700, 10, sentence));
    let pages = [page(1, &first.concat()), page(2, &second), page(3, &third), page(4, &last)];
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    check(
        &pdf(&pages),
        &[
            (1, Heading, "A Year of Growth"),
            (
                1,
                Paragraph,
                "In the left column we supported many families with food all through the year.",
            ),
            (1, Paragraph, "The right column comes after the left one, line by line."),
            (
                1,
                Paragraph,
                "A last line runs over both columns, so that it follows all of the columns above it.",
            ),
            (2, Paragraph, sentences[0]),
            (3, Paragraph, sentences[1]),
            (4, Paragraph, sentences[2]),
        ],
    );
}

#[test]
fn pdf_lists_figures_and_quotations() {
    let content = [
        line(50, 700, 10, "\\225"),
        line(70, 700, 10, "Meals for all who come"),
        line(50, 688, 10, "\\225 Beds in winter"),
        line(50, 640, 30, "1,245"),
        line(50, 610, 10, "students served"),
        line(50, 560, 10, "\\223I found a home here, and work.\\224"),
        line(50, 500, 10, "Food"),
        line(200, 500, 10, "$1,200"),
        line(50, 488, 10, "Beds"),
        line(200, 488, 10, "$900"),
        line(50, 476, 10, "Other"),
        line(200, 476, 10, "-"),
        line(
            50,
            430,
            10,
            "EIN 17-0000001. This is the body of the report, set in letters of ten points.",
        ),
    ];
    let bytes = pdf(&[&content.concat()]);
    check(
        &bytes,
        &[
            (1, ListItem, "Meals for all who come"),
            (1, ListItem, "Beds in winter"),
            (1, Paragraph, "1,245 students served"),
            (1, Quotation, "“I found a home here, and work.”"),
            (1, TableRow, "Food | $1,200"),
            (1, TableRow, "Beds | $900"),
            (1, TableRow, "Other | -"),
            (
                1,
                Paragraph,
                "EIN 17-0000001. This is the body of the report, set in letters of ten points.",
            ),
        ],
    );
    assert_eq!(read_all(&bytes).unwrap().eins, ["170000001".parse().unwrap()]);
}

#[test]
fn pdf_object_streams_forms_and_composite_fonts() {
    let to_unicode = "2 beginbfchar <0001> <0048> <0002> <0066006C> endbfchar \
                      1 beginbfrange <0003> <0005> <0061> endbfrange";
    let members = [
        (6, "<</Type/Font/Subtype/Type0/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>"),
        (7, "<</Subtype/CIDFontType2/DW 500/W[1[600 600]3 5 400]>>"),
    ];
    let mut header = String::new();
    let mut packed = String::new();
    for (number, object) in members {
        header += &format!("{number} {} ", packed.len());
        packed += object;
    }
    let object_stream = format!("{header}{packed}");
    let dict = format!("/Type/ObjStm/N 2/First {}/Filter/FlateDecode", header.len());
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 2 0 R]/Resources<</XObject<</X 4 0 R>>>>>>".to_vec(),
        b"<</Type/Page/Contents[9 0 R]>>".to_vec(),
        stream(
            "/Type/XObject/Subtype/Form/Resources<</Font<</F 6 0 R>>/XObject<</X 4 0 R>>>>",
            b"BT /F 12 Tf 50 500 Td [<00010003>-20<00040002>] TJ 0 -14 Td <0005> Tj ET /X Do /X Do",
        ),
        stream(&dict, &deflated(object_stream.as_bytes())),
        b"null".to_vec(),
        b"null".to_vec(),
        stream("", to_unicode.as_bytes()),
        stream("", b"q /X Do Q"),
    ];
    let mut bytes = pdf_of(&objects[..5], "");
    for (number, object) in (8..).zip(&objects[7..]) {
        bytes.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    // A form that draws itself ends, and letters that are drawn twice are bold ones.
    check(&bytes, &[(1, Heading, "Habfl c")]);
}

#[test]
fn pdfs_are_refused_within_bounds() {
    let text = line(50, 700, 10, "A sentence on a page.");
    let whole = pdf(&[&text, &text, &text]);
    let limits = Limits::default();
    for (bytes, limits, expected) in [
        (
            pdf_of(&[b"<<>>".to_vec()], "/Encrypt 2 0 R"),
            limits,
            "found one that is: save it without",
        ),
        (b"%PDF-1.4\nnothing".to_vec(), limits, "expected a PDF with pages, found no catalog"),
        (pdf_of(&[b"<</Pages 1 0 R/Kids[1 0 R 1 0 R]>>".to_vec()], ""), limits, "found no page"),
        (pdf(&["0 0 m 10 10 l S"]), limits, "none on 1 pages"),
        (whole.clone(), Limits { pages: 2, ..limits }, "at most 2 pages"),
        (whole.clone(), Limits { file_bytes: 100, ..limits }, "bytes or more: export it"),
        (whole.clone(), Limits { unpacked_bytes: 100, ..limits }, "streams that unpack"),
        (whole.clone(), Limits { text_bytes: 10, ..limits }, "MiB of text"),
        (whole.clone(), Limits { steps: 300, ..limits }, "read in 300 steps"),
    ] {
        let error = read(&bytes, &limits).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // Some KiB that unpack to a GiB.
    let bomb = deflated(&vec![b' '; 64 << 20]);
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]>>".to_vec(),
        format!("<</Type/Page/Contents[{}]>>", "4 0 R ".repeat(16)).into_bytes(),
        stream("/Filter/FlateDecode", &bomb),
    ];
    let error = read_all(&pdf_of(&objects, "")).unwrap_err();
    assert!(matches!(error, ReportError::UnpacksTooLong { page: 1, .. }), "{error}");
}

#[test]
fn pages_without_text_are_told() {
    let picture = "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q";
    let report = read_all(&pdf(&[&line(50, 700, 10, "A cover."), picture])).unwrap();
    assert_eq!(report.unread, [UnreadPage { page: 2, why: Unread::Scanned }]);
    let error = read_all(&pdf(&[picture])).unwrap_err().to_string();
    assert!(error.contains("found none on 1 pages: a page that is a picture: run text"), "{error}");
}

const PAGE: &str = "<!DOCTYPE html><html><head><title>Annual Report</title><style>p{}</style></head><body>\
    <header><p>Riverside Pantry</p></header><nav><ul><li>Home</li></ul></nav><main>\
    <h1>Annual &amp; Impact Report</h1><p>We served <b>1,245</b> families,<br>more than ever before, in all of \
    the years since we began our work on the river.</p><ul><li>Meals<li>Beds</ul><blockquote><p>I found a \
    home.</p></blockquote><hr class=\"thin page\"><table><tr><th>Food</th><td>$4</td></tr></table>\
    <figure><img src='a>b.png'><figcaption>The kitchen</figcaption></figure><form>Subscribe</form>\
    <script>if (a < b) document.write('<p>no</p>');</script><p>The end of this page has words that make it long \
    enough.</p></main><footer>EIN 17-0000001</footer></body></html>";

#[test]
fn web_pages() {
    check(
        PAGE.as_bytes(),
        &[
            (1, Heading, "Annual & Impact Report"),
            (
                1,
                Paragraph,
                "We served 1,245 families, more than ever before, in all of the years since we began our work on the \
             river.",
            ),
            (1, ListItem, "Meals"),
            (1, ListItem, "Beds"),
            (1, Quotation, "I found a home."),
            (2, TableRow, "Food | $4"),
            (2, Caption, "The kitchen"),
            (2, Paragraph, "The end of this page has words that make it long enough."),
        ],
    );
    let report = read_all(PAGE.as_bytes()).unwrap();
    assert_eq!((report.pages, report.eins.len()), (2, 1));
    for page in [
        "<html><body>Not found</body></html>".to_owned(),
        format!("<html><title>404 - Page not found</title><p>{}</p>", "word ".repeat(100)),
        "<html".to_owned(),
    ] {
        let error = read_all(page.as_bytes()).unwrap_err();
        assert!(matches!(error, ReportError::ErrorPage { .. }), "{error}");
    }
}

/// A Word document with this body.
fn docx(body: &str) -> Vec<u8> {
    let space = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
    let styles = format!(
        "<w:styles {space}><w:style w:styleId=\"U1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>"
    );
    let document = format!("<w:document {space}><w:body>{body}</w:body></w:document>");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("word/styles.xml", styles), ("word/document.xml", document)] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn word_documents() {
    let text = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = [
        format!("<w:p><w:pPr><w:pStyle w:val=\"U1\"/></w:pPr>{}</w:p>", text("Our Year")),
        format!("<w:p>{}{}</w:p>", text("We served 1,245 &amp; more"), text(" families.")),
        format!("<w:p><w:pPr><w:numPr/></w:pPr>{}</w:p>", text("Meals")),
        "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>".to_owned(),
        format!("<w:p><w:r><w:lastRenderedPageBreak/></w:r>{}</w:p>", text("Page two.")),
        format!(
            "<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>",
            text("Food"),
            text("$4")
        ),
        format!("<w:p><w:r><w:lastRenderedPageBreak/></w:r>{}</w:p>", text("EIN 17-0000001.")),
    ];
    let bytes = docx(&body.concat());
    check(
        &bytes,
        &[
            (1, Heading, "Our Year"),
            (1, Paragraph, "We served 1,245 & more families."),
            (1, ListItem, "Meals"),
            (2, Paragraph, "Page two."),
            (2, TableRow, "Food | $4"),
            (3, Paragraph, "EIN 17-0000001."),
        ],
    );
    assert_eq!(read_all(&bytes).unwrap().eins.len(), 1);
    let deep = format!("{}{}", "<w:p>".repeat(300), "</w:p>".repeat(300));
    for (bytes, expected) in [
        (docx(&deep), "256 deep"),
        (docx("</w:x>"), "expected a Word document"),
        (docx(""), "none on 1 pages"),
        (b"PK\x03\x04word/document.xml".to_vec(), "expected a Word document"),
    ] {
        let error = read_all(&bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn plain_text() {
    let text = "Annual Report 2024\n\nWe served 1,245 fam-\nilies this year.\n- Meals\n- Beds\n\x0cThe second page.";
    check(
        text.as_bytes(),
        &[
            (1, Heading, "Annual Report 2024"),
            (1, Paragraph, "We served 1,245 families this year."),
            (1, ListItem, "Meals"),
            (1, ListItem, "Beds"),
            (2, Paragraph, "The second page."),
        ],
    );
    assert_eq!(read_all(b"\x00\x01\x02"), Err(ReportError::Unknown));
}

/// What stands in reports of every kind and means something to their readers.
const TOKENS: [&str; 24] = [
    "<<",
    ">>",
    "[",
    "(",
    "\\",
    "stream\n",
    "endstream",
    " 5 0 R ",
    "/Length 9",
    "/Kids",
    "Tj",
    "BT",
    "99999999999",
    "<table><tr>",
    "</p>",
    "<!--",
    "<hr class=page>",
    "&#x110000;",
    "<li",
    "<w:p>",
    "</w:t>",
    "\u{c}",
    "fam-\n",
    "\"",
];

/// A change: where, how many bytes go, and what comes instead.
type Edit = (usize, usize, Vec<u8>);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let bytes = prop::collection::vec(any::<u8>(), 0..6);
    let token = prop::sample::select(&TOKENS[..]).prop_map(|token| token.as_bytes().to_vec());
    let many = (any::<u8>(), 0..2_000_usize).prop_map(|(byte, count)| vec![byte; count]);
    let new = prop_oneof![2 => bytes, 4 => token, 1 => many];
    prop::collection::vec((any::<usize>(), 0..24_usize, new), 1..8)
}

fn edited(original: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for (at, removed, new) in edits {
        let at = at % (bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, new.iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever is wrong in a file, it is read or refused, and what is read of it is on its pages.
    #[test]
    fn any_changed_report_comes_to_an_end(edits in edits()) {
        let content = [line(50, 700, 10, "A sentence."), line(320, 700, 10, "(Another\\) one.")].concat();
        let pages = pdf(&[&content, "BT /F 9 Tf [(a)-200(b)] TJ ET /X Do"]);
        let body = "<w:p><w:r><w:t>A</w:t></w:r></w:p><w:tbl><w:tr><w:tc/></w:tr></w:tbl>";
        let text = "Annual Report 2024\n\nWe served 1,245 fam-\nilies.\n- Meals\n\u{c}EIN 17-0000001";
        let within = |text: &str| String::from_utf8_lossy(&edited(text.as_bytes(), &edits)).into_owned();
        let files = [
            edited(&pages, &edits),
            pdf(&[&within(&content)]),
            edited(PAGE.as_bytes(), &edits),
            edited(&docx(body), &edits),
            docx(&within(body)),
            edited(text.as_bytes(), &edits),
        ];
        let limits = Limits { steps: 1 << 22, unpacked_bytes: 1 << 22, ..Limits::default() };
        for file in files {
            let Ok(report) = read(&file, &limits) else { continue };
            for passage in &report.passages {
                prop_assert!((1..=report.pages).contains(&passage.page), "{passage:?}");
                prop_assert!(!passage.text.is_empty());
            }
        }
    }
}
