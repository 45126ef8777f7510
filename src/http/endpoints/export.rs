//! `GET /export.csv`, `.ndjson` and `.parquet`: every nonprofit that `/nonprofits/search` would find, as `almoner export`
//! writes them, in the order of the snapshot and in parts as they are made. Beside the specification.
//!
//! An entity tag names the snapshot. Who was cut off asks for what comes behind the last row it has, with that tag as
//! `If-Match`: rows of another snapshot are refused, since they would not fit those of this one.

use std::io::{self, BufWriter, Write};
use std::sync::{Arc, LazyLock};

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response};
use serde::Serialize;

use super::filters::{NONPROFIT_FILTERS, NonprofitFilters};
use super::search::{Q, query_of};
use crate::export::lines::{LineFormat, LineWriter};
#[cfg(feature = "tables")]
use crate::export::parquet::{Error as ParquetError, ParquetFile};
use crate::export::{Outline, RowWriter};
use crate::http::interface::answer_body::AnswerBody;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::compression::{self, Encoding, EncodingWriter};
use crate::http::interface::input::Input;
use crate::http::interface::parameter::{Optional, Parameter, optional, parameters};
use crate::http::interface::parameter_type::EinDigits;
use crate::http::interface::query_names::{self, FIELDS, IGNORED};
use crate::http::interface::response::{self, Answer, PLAN, TOTAL};
use crate::http::interface::validation_error::ValidationErrors;
use crate::http::interface::validators;
use crate::http::server::exports::{Exports, PartWatch, PartWriter};
use crate::index::columns::Bitmap;
use crate::record::Ein;
use crate::search::SearchError;
use crate::search::nonprofits::{self, NonprofitPage};
use crate::search::tables::Scope;
use crate::snapshot::{Manifest, Snapshot};
use crate::views::Table;

/// Rows between two looks at whether anybody waits for more.
const ROWS_A_LOOK: u64 = 1_024;
/// Bytes that are encoded together.
const ENCODED_BYTES: usize = 32 * 1024;

/// One path that answers with every row.
#[derive(Debug)]
pub(crate) struct Export {
    pub(crate) path: &'static str,
    /// One line for the documentation.
    pub(crate) summary: &'static str,
    pub(crate) format: ExportFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportFormat {
    Csv,
    Ndjson,
    Parquet,
}

pub(crate) static CSV: Export = Export {
    path: "/export.csv",
    summary: "Every nonprofit that filters and words leave, as CSV",
    format: ExportFormat::Csv,
};

pub(crate) static NDJSON: Export = Export {
    path: "/export.ndjson",
    summary: "Every nonprofit that filters and words leave, one JSON object a line",
    format: ExportFormat::Ndjson,
};

pub(crate) static PARQUET: Export = Export {
    path: "/export.parquet",
    summary: "Every nonprofit that filters and words leave, as Parquet",
    format: ExportFormat::Parquet,
};

const AFTER: Parameter<EinDigits, Optional> = optional(
    "after",
    EinDigits,
    "EIN of the last row that the client has: only rows behind it are sent. Needs the entity tag of the part before \
     as `If-Match`.",
);

parameters! {
    /// What exports take: the filters of `/nonprofits/search`.
    Params {
        q: Option<String> = Q,
        filters: NonprofitFilters = NONPROFIT_FILTERS,
        after: Option<Ein> = AFTER,
    }
}

/// The table, whose columns are made of a schema.
static OUTLINE: LazyLock<Outline> = LazyLock::new(|| Table::Organizations.outline(None));
static COLUMNS: LazyLock<Vec<String>> = LazyLock::new(|| OUTLINE.flat_names());

impl ExportFormat {
    /// The media type, and what the name of a file ends with.
    pub(crate) fn media(self) -> (HeaderValue, &'static str) {
        match self {
            Self::Csv => (response::CSV, "csv"),
            Self::Ndjson => (HeaderValue::from_static("application/x-ndjson"), "ndjson"),
            Self::Parquet => {
                (HeaderValue::from_static("application/vnd.apache.parquet"), "parquet")
            }
        }
    }

    fn is_written_here(self) -> bool {
        self != Self::Parquet || cfg!(feature = "tables")
    }
}

/// A request for every row.
pub(crate) struct ExportRequest<'a> {
    pub(crate) snapshot: Option<Arc<Snapshot>>,
    pub(crate) parts: &'a Parts,
    /// Who asks: a key, or else an address.
    pub(crate) client: &'a Arc<str>,
    pub(crate) exports: &'a Arc<Exports>,
}

/// The answer, whose rows are still being written.
pub(crate) fn answer(export: &Export, request: ExportRequest<'_>) -> Result<Answer, ApiError> {
    let ExportRequest { snapshot, parts, client, exports } = request;
    let (format, headers) = (export.format, &parts.headers);
    if !format.is_written_here() {
        return Err(ApiError::NoParquet);
    }
    let input = Input::new(None, parts.uri.query(), headers);
    let asked = Params::read(&input)?;
    let fields = query_names::members(&input, || COLUMNS.as_slice())?;
    let snapshot = snapshot.ok_or(ApiError::NotReady)?;
    // Parquet is compressed within.
    let encoding = Encoding::accepted(headers).filter(|_| format != ExportFormat::Parquet);
    let tag = tag(&snapshot.manifest, encoding);
    check_precondition(&snapshot.manifest, headers, asked.after)?;
    if validators::has(headers, &tag) {
        return Ok(validators::not_modified(tag, Some(&snapshot)));
    }
    let (found, rows) = select(&snapshot, &asked, &input)?;
    let body = if parts.method == Method::HEAD {
        AnswerBody::unsent()
    } else {
        let export = RowExport { snapshot: snapshot.clone(), rows, format, encoding, fields };
        exports.take_slot(client)?.start(move |out| export.write(out))?
    };
    let mut answer = Response::new(body);
    answer.headers_mut().extend(answer_headers(&snapshot.manifest, format, &found));
    let modified = validators::modified(&snapshot.manifest);
    answer.headers_mut().extend(validators::validators(tag, modified));
    answer.headers_mut().extend(compression::headers(encoding));
    let ignored = query_names::ignored(Params::DECLARED, &[FIELDS], &input);
    answer.headers_mut().extend(ignored.map(|names| (IGNORED, names)));
    Ok(answer)
}

/// The rows asked for, on a page without them and as a set.
fn select(
    snapshot: &Snapshot,
    asked: &Params,
    input: &Input<'_>,
) -> Result<(NonprofitPage, Bitmap), ApiError> {
    let (found, mut rows) = match asked.filters.is_of_no_source() {
        true => (NonprofitPage::default(), Bitmap::none(snapshot.columns.organizations())),
        false => nonprofits::matches(snapshot, &query_of(&asked.filters, asked.q.as_deref(), 1))?,
    };
    if let Some(after) = asked.after {
        let Some(last) = snapshot.columns.org_of(after).map_err(SearchError::from)? else {
            let mut errors = Vec::new();
            let why = "after should be the EIN of the last row that was received".to_owned();
            AFTER.unfit(input, why, &mut errors);
            return Err(ValidationErrors(errors).into());
        };
        rows.retain(|at| at > last.index());
    }
    Ok((found, rows))
}

/// What names the rows of a snapshot, as this version of the program writes them.
fn state(manifest: &Manifest) -> String {
    format!("{}/{}", manifest.snapshot, env!("CARGO_PKG_VERSION"))
}

/// The entity tag: strong, so it tells encodings apart.
fn tag(manifest: &Manifest, encoding: Option<Encoding>) -> HeaderValue {
    let encoding = encoding.map_or_else(String::new, |encoding| format!("/{}", encoding.name()));
    HeaderValue::try_from(format!("\"{}{encoding}\"", state(manifest)))
        .unwrap_or(HeaderValue::from_static("\"\""))
}

/// Refuses to continue what began with other rows.
fn check_precondition(
    manifest: &Manifest,
    headers: &HeaderMap,
    after: Option<Ein>,
) -> Result<(), ApiError> {
    let mut sent = headers.get_all(header::IF_MATCH).iter().peekable();
    if sent.peek().is_none() {
        return if after.is_none() { Ok(()) } else { Err(ApiError::NoSnapshotNamed) };
    }
    let state = state(manifest);
    let is_same = |tag: &str| {
        let tag = tag.trim().trim_matches('"');
        let rest = tag.strip_prefix(&*state);
        tag == "*" || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut tags = sent.filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    if tags.any(is_same) { Ok(()) } else { Err(ApiError::OtherSnapshot) }
}

/// The headers that tell what is sent.
fn answer_headers(
    manifest: &Manifest,
    format: ExportFormat,
    found: &NonprofitPage,
) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let (media, extension) = format.media();
    let name = format!("attachment; filename=\"nonprofits-{}.{extension}\"", manifest.snapshot);
    let texts = [(header::CONTENT_DISPOSITION, name), (PLAN, found.plan.to_string())];
    let texts = texts.into_iter().filter_map(|(header, text)| Some((header, text.parse().ok()?)));
    let fixed = [(header::CONTENT_TYPE, media), (TOTAL, HeaderValue::from(found.total))];
    fixed.into_iter().chain(texts)
}

/// Why rows cannot be written.
#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error("a record cannot be read: {0}")]
    Search(#[from] SearchError),
    #[error("{0}")]
    Send(#[from] io::Error),
    #[cfg(feature = "tables")]
    #[error("{0}")]
    Parquet(#[from] ParquetError),
    #[cfg(feature = "tables")]
    #[error("a row cannot be written: {0}")]
    Row(#[from] serde_json::Error),
}

/// What is written.
struct RowExport {
    snapshot: Arc<Snapshot>,
    rows: Bitmap,
    format: ExportFormat,
    encoding: Option<Encoding>,
    /// Empty for all.
    fields: Vec<String>,
}

impl RowExport {
    fn write(self, out: PartWriter) -> Result<(u64, PartWriter), ExportError> {
        let watch = out.watch();
        let format = match self.format {
            ExportFormat::Csv => LineFormat::Csv,
            ExportFormat::Ndjson => LineFormat::Ndjson,
            ExportFormat::Parquet => return self.write_parquet(out, watch),
        };
        let out = BufWriter::with_capacity(ENCODED_BYTES, EncodingWriter::new(self.encoding, out));
        let fields = Some(self.fields.clone()).filter(|fields| !fields.is_empty());
        let lines = LineWriter::new(format, out, fields, || COLUMNS.clone())?;
        let (rows, lines) = self.write_rows(lines, watch)?;
        let encoder = lines.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((rows, encoder.finish()?))
    }

    #[cfg(feature = "tables")]
    fn write_parquet(
        self,
        out: PartWriter,
        watch: Option<PartWatch>,
    ) -> Result<(u64, PartWriter), ExportError> {
        let named = |name: &String| OUTLINE.columns.iter().find(|column| column.name == *name);
        let columns = match &self.fields[..] {
            [] => OUTLINE.columns.clone(),
            fields => fields.iter().filter_map(named).cloned().collect(),
        };
        let (rows, file) = self.write_rows(ParquetFile::new(out, &columns)?, watch)?;
        Ok((rows, file.finish()?))
    }

    /// Without the feature, such a request is refused before.
    #[cfg(not(feature = "tables"))]
    fn write_parquet(
        self,
        out: PartWriter,
        _watch: Option<PartWatch>,
    ) -> Result<(u64, PartWriter), ExportError> {
        Ok((0, out))
    }

    fn write_rows<Out: TakeRow>(
        self,
        out: Out,
        watch: Option<PartWatch>,
    ) -> Result<(u64, Out), ExportError> {
        let mut rows = WatchedRows { out, watch, rows: 0 };
        let scope = Scope::Some(self.rows);
        Table::Organizations.write(&self.snapshot, &scope, None, &mut rows)?;
        Ok((rows.rows, rows.out))
    }
}

/// What takes rows in a format.
trait TakeRow {
    fn take(&mut self, row: &impl Serialize) -> Result<(), ExportError>;
}

impl<W: Write> TakeRow for LineWriter<W> {
    fn take(&mut self, row: &impl Serialize) -> Result<(), ExportError> {
        Ok(self.write(row)?)
    }
}

#[cfg(feature = "tables")]
impl<W: Write + Send> TakeRow for ParquetFile<W> {
    fn take(&mut self, row: &impl Serialize) -> Result<(), ExportError> {
        Ok(self.write(serde_json::to_value(row)?)?)
    }
}

/// Counts rows, and looks now and then whether anybody waits for more.
struct WatchedRows<Out> {
    out: Out,
    watch: Option<PartWatch>,
    rows: u64,
}

impl<Out: TakeRow> RowWriter for WatchedRows<Out> {
    type Error = ExportError;

    fn write(&mut self, row: &impl Serialize) -> Result<(), ExportError> {
        self.out.take(row)?;
        self.rows += 1;
        match &self.watch {
            Some(watch) if self.rows.is_multiple_of(ROWS_A_LOOK) => Ok(watch.check()?),
            _ => Ok(()),
        }
    }
}
