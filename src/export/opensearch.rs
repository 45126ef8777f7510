//! Indexes of OpenSearch: their settings and mappings, and documents as `_bulk` takes them.

use serde_json::{Map, Value, json};

use super::{Column, Kind, Outline};

/// Characters of a text beyond which it is no keyword: Lucene refuses terms of more than 32,766 bytes.
const KEYWORD_CHARACTERS_MAX: usize = 256;
/// The analyzer of texts and of names.
const ANALYZER: &str = "folded";

/// What an index is created with: settings and mappings. What no column has is refused.
pub fn index(table: &Outline) -> Value {
    let property = |column: &Column| {
        let is_name = table.names == Some(&column.name);
        (column.name.clone(), property(column, is_name))
    };
    let properties: Map<String, Value> = table.columns.iter().map(property).collect();
    let mut settings = json!({
        "analysis": {
            "analyzer": {
                ANALYZER: {
                    "type": "custom",
                    "tokenizer": "standard",
                    "filter": ["lowercase", "asciifolding"],
                },
            },
        },
    });
    if table.columns.iter().any(|one| matches!(one.kind, Kind::Vector(_))) {
        // A setting of the k-NN plugin, which who has no vectors need not have.
        settings["index"] = json!({ "knn": true });
    }
    json!({
        "settings": settings,
        "mappings": {
            "dynamic": "strict",
            "_meta": { "description": table.description, "fields": descriptions(&table.columns) },
            "properties": properties,
        },
    })
}

/// The line that says what is done with the document behind it, which has this identifier.
pub fn action(table: &Outline, id: &str) -> Value {
    json!({ "index": { "_index": table.name, "_id": id } })
}

fn descriptions(columns: &[Column]) -> Map<String, Value> {
    let described = columns.iter().filter(|one| !one.description.is_empty());
    described.map(|one| (one.name.clone(), one.description.clone().into())).collect()
}

fn property(column: &Column, is_name: bool) -> Value {
    let mut property = mapping(&column.kind);
    if is_name {
        property["fields"]["suggest"] = json!({ "type": "completion", "analyzer": ANALYZER });
    }
    property
}

fn mapping(kind: &Kind) -> Value {
    match kind {
        Kind::Text => json!({
            "type": "text",
            "analyzer": ANALYZER,
            "fields": { "keyword": { "type": "keyword", "ignore_above": KEYWORD_CHARACTERS_MAX } },
        }),
        Kind::Code => json!({ "type": "keyword" }),
        Kind::Day => json!({ "type": "date", "format": "strict_date" }),
        Kind::Integer => json!({ "type": "long" }),
        Kind::Number => json!({ "type": "double" }),
        Kind::Boolean => json!({ "type": "boolean" }),
        // A field has any number of values.
        Kind::List(item) => mapping(item),
        Kind::Object(columns) => {
            let property = |column: &Column| (column.name.clone(), mapping(&column.kind));
            json!({ "properties": columns.iter().map(property).collect::<Map<_, _>>() })
        }
        Kind::Vector(dims) => json!({
            "type": "knn_vector",
            "dimension": dims,
            "method": { "name": "hnsw", "engine": "lucene", "space_type": "cosinesimil" },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_and_its_documents() {
        let column = |name: &str, kind| Column {
            name: name.into(),
            kind,
            description: "It.".into(),
            is_nullable: true,
        };
        let table = Outline {
            name: "things",
            description: "A thing.".into(),
            columns: vec![
                column("ein", Kind::Code),
                column("name", Kind::Text),
                column("goals", Kind::List(Box::new(Kind::Integer))),
                column("pay", Kind::Object(vec![column("sum", Kind::Number)])),
                column("vector", Kind::Vector(384)),
            ],
            key: Some("ein"),
            partition: None,
            lookups: &[],
            names: Some("name"),
        };
        let index = index(&table);
        let properties = &index["mappings"]["properties"];
        assert_eq!(index["settings"]["index"]["knn"], true);
        assert_eq!(properties["name"]["fields"]["suggest"]["type"], "completion");
        assert_eq!(properties["goals"], json!({ "type": "long" }));
        assert_eq!(properties["pay"]["properties"]["sum"]["type"], "double");
        assert_eq!(properties["vector"]["dimension"], 384);
        let expected = json!({ "index": { "_index": "things", "_id": "990000001" } });
        assert_eq!(action(&table, "990000001"), expected);
    }
}
