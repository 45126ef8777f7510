//! One entry of a feed: its elements as they are met, then the post that they make.

use xxhash_rust::xxh3::xxh3_64;

use super::address::address;
use super::classify::{Enclosed, classify};
use super::xml::{Token, Tokens, attribute};
use super::{TEXT_BYTES_MAX, feed_date, markup};
use crate::record::{Ein, Post};

/// The most categories and tags that are kept of an entry.
const LABELS_MAX: usize = 64;

/// The longest category, tag or author; longer ones are texts in the wrong place.
const LABEL_CHARACTERS_MAX: usize = 200;

/// The longest title.
const TITLE_CHARACTERS_MAX: usize = 500;

/// How much of the text stands in for a title that is missing.
const TITLE_WORDS_MAX: usize = 12;

/// What stands within an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inner<'a> {
    /// Everything between its tags.
    pub(super) raw: &'a str,
    /// The attributes of its start tag.
    pub(super) attributes: &'a str,
}

impl Inner<'_> {
    /// The text as XML has it: references read, CDATA as it is. Elements within it stay as they
    /// are, so that it can be taken as HTML.
    pub(super) fn xml_text(&self) -> String {
        let mut tokens = Tokens::new(self.raw);
        let mut text = String::new();
        let mut has_elements = false;
        while let Some(Ok(token)) = tokens.next() {
            match token {
                Token::Text(piece) => text.push_str(&markup::decode(piece)),
                Token::Literal(piece) => text.push_str(piece),
                Token::Start { .. } | Token::End { .. } => has_elements = true,
            }
        }
        if has_elements { self.raw.to_owned() } else { text }
    }

    /// The text as it is shown: HTML is reduced, but where Atom says that it is none.
    fn plain_text(&self, default: TextType) -> String {
        let text = self.xml_text();
        match attribute(self.attributes, "type").as_deref() {
            Some("text" | "text/plain") => markup::one_line(&text),
            Some(kind) if kind.contains('/') && !kind.contains("html") && !kind.contains("xml") => {
                // A picture or a sound in Base64.
                String::new()
            }
            None if default == TextType::Plain => markup::one_line(&text),
            _ => markup::reduce(&text),
        }
    }
}

/// How a text is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum TextType {
    #[default]
    Plain,
    Html,
}

/// What has been read of an entry.
#[derive(Default)]
pub(super) struct Entry {
    pub(super) id: Option<String>,
    /// What texts without a type are: HTML in RSS, plain in Atom.
    pub(super) text_type: TextType,
    pub(super) title: Option<String>,
    pub(super) summary: Option<String>,
    /// Of another vocabulary, when there is no other.
    pub(super) other_summary: Option<String>,
    pub(super) content: Option<String>,
    pub(super) link: Option<String>,
    /// A link whose kind says that it may be something else.
    pub(super) other_link: Option<String>,
    pub(super) published: Option<String>,
    pub(super) updated: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) categories: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) enclosed: Enclosed,
}

impl Entry {
    /// Takes a text of the entry, of the type `default` where it names none; the first that is not blank
    /// counts.
    pub(super) fn text(target: &mut Option<String>, inner: Inner<'_>, default: TextType) {
        if target.is_none() {
            *target = Some(inner.plain_text(default)).filter(|text| !text.is_empty());
        }
    }

    /// Takes a value that is no HTML; the first that is not blank counts.
    pub(super) fn value(target: &mut Option<String>, text: &str) {
        if target.is_none() {
            *target = Some(markup::one_line(text)).filter(|text| !text.is_empty());
        }
    }

    /// Takes a category.
    pub(super) fn category(&mut self, text: &str) {
        label(&mut self.categories, &markup::reduce(text));
    }

    /// Takes keywords, parted by commas.
    pub(super) fn keywords(&mut self, text: &str) {
        let words = text.split(',').take(LABELS_MAX);
        words.for_each(|word| label(&mut self.tags, &markup::reduce(word)));
    }

    /// Makes the post, and names the parts that were left out; `None` when there is neither a title nor a
    /// text to take one from. The authors are those of the feed, for an entry without.
    pub(super) fn post(
        mut self,
        ein: Ein,
        authors: &[String],
    ) -> Option<(Post, Vec<&'static str>)> {
        let mut left_out = Vec::new();
        let mut limited = |text: Option<String>, key| {
            let mut text = text?;
            if text.len() > TEXT_BYTES_MAX {
                text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
                left_out.push(key);
            }
            Some(text)
        };
        let content = limited(self.content, "content");
        let summary = limited(self.summary.or(self.other_summary), "description");
        let title = match &self.title {
            Some(title) => cut(title, TITLE_CHARACTERS_MAX),
            None => title_of(summary.as_deref().or(content.as_deref())?),
        };
        let link = self.link.or(self.other_link);
        let date = self.published.or(self.updated);
        let published = date.as_deref().and_then(feed_date::moment);
        if published.is_none() {
            left_out.push("date");
        }
        let url = link.as_deref().and_then(address).map(str::to_owned);
        if url.is_none() && link.is_some() {
            left_out.push("link");
        }
        // A number alone with the address, since several feeds of a nonprofit may each number from 1.
        let named = match (self.id, link) {
            (Some(id), Some(link)) if !id.contains([':', '/', '.']) => format!("{id}\n{link}"),
            (Some(one), _) | (None, Some(one)) => one,
            (None, None) => format!("{title}\n{}", date.unwrap_or_default()),
        };
        self.tags.retain(|tag| !self.categories.contains(tag));
        if self.authors.is_empty() {
            self.authors = authors.to_vec();
        }
        self.authors.dedup();
        let author = cut(&self.authors.join(", "), LABEL_CHARACTERS_MAX);
        let mut post = Post {
            post_id: format!("p{:016x}", xxh3_64(format!("{ein}\n{named}").as_bytes())),
            organization_ein: ein,
            post_title: title,
            post_classification: None,
            post_description: summary,
            post_content: content,
            post_url: url,
            post_published_date: published,
            post_author: Some(author).filter(|author| !author.is_empty()),
            post_categories: self.categories,
            post_tags: self.tags,
        };
        post.post_classification = Some(classify(&post, self.enclosed));
        Some((post, left_out))
    }
}

/// The name in what stands for an author: a name, `name <address>` or `address (name)`. An address of
/// mail alone names nobody, and is not to be published.
pub(super) fn person(text: &str) -> Option<String> {
    let text = markup::one_line(text);
    let bare = text.split(|c: char| c.is_whitespace() || "<>()[]".contains(c));
    let words: Vec<&str> = bare.filter(|word| !word.is_empty() && !word.contains('@')).collect();
    let name = if text.contains('@') { words.join(" ") } else { text };
    Some(cut(&name, LABEL_CHARACTERS_MAX)).filter(|name| name.chars().any(char::is_alphanumeric))
}

fn label(labels: &mut Vec<String>, text: &str) {
    let label = markup::one_line(text);
    let good = !label.is_empty() && label.chars().count() <= LABEL_CHARACTERS_MAX;
    if good && labels.len() < LABELS_MAX && !labels.contains(&label) {
        labels.push(label);
    }
}

/// The text, or its beginning with an ellipsis.
fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

/// The first words of a text, in place of a title.
fn title_of(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let words: Vec<&str> = line.split(' ').take(TITLE_WORDS_MAX).collect();
    let title = words.join(" ");
    let ellipsis = if title.len() < line.len() { "…" } else { "" };
    cut(&format!("{title}{ellipsis}"), TITLE_CHARACTERS_MAX)
}
