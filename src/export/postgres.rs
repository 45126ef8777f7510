//! Tables for PostgreSQL: their definitions with comments, rows as `COPY` reads them, indexes.
//!
//! Names are in snake case, as PostgreSQL has them without quotes. Objects, and lists of them, are `jsonb`; vectors
//! are `real[]`, which pgvector makes its own type of where it is installed.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Column, Kind, Outline};

/// The file that a table's rows are in.
pub fn file_name(table: &Outline) -> String {
    format!("{}.tsv", table.name)
}

/// The statement that defines a table, with a comment on it and on each column.
pub fn definition(table: &Outline) -> String {
    let name = table.name;
    let column = |column: &Column| {
        let null = if column.is_nullable { "" } else { " NOT NULL" };
        let key = if table.key == Some(&column.name) { " PRIMARY KEY" } else { "" };
        format!("    {} {}{null}{key}", snake_case(&column.name), type_of(&column.kind))
    };
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    let mut sql = format!("CREATE TABLE {name} (\n{}\n);\n", columns.join(",\n"));
    // Writing to a string cannot fail.
    let _ = writeln!(sql, "COMMENT ON TABLE {name} IS {};", literal(&table.description));
    for column in &table.columns {
        let (column, comment) = (snake_case(&column.name), literal(&column.description));
        let _ = writeln!(sql, "COMMENT ON COLUMN {name}.{column} IS {comment};");
    }
    sql
}

/// The commands of psql that load a table's rows, from the folder that they are in.
pub fn loading(table: &Outline) -> String {
    format!("\\copy {} from '{}'\n", table.name, file_name(table))
}

/// The statements that index a table once it is loaded; names by their trigrams, for which `pg_trgm` is needed.
pub fn indexes(table: &Outline) -> String {
    let name = table.name;
    let mut sql = String::new();
    for columns in table.lookups {
        let columns: Vec<String> = columns.iter().map(|column| snake_case(column)).collect();
        let _ = writeln!(sql, "CREATE INDEX ON {name} ({});", columns.join(", "));
    }
    if let Some(names) = table.names.map(snake_case) {
        let _ = writeln!(sql, "CREATE INDEX ON {name} (lower({names}));");
        let _ = writeln!(sql, "CREATE INDEX ON {name} USING gin ({names} gin_trgm_ops);");
    }
    let _ = writeln!(sql, "ANALYZE {name};");
    sql
}

/// The statements that make vectors of pgvector of a table's vectors; empty where it has none.
pub fn vectors(table: &Outline) -> String {
    let name = table.name;
    let mut sql = String::new();
    for column in &table.columns {
        if let Kind::Vector(dims) = column.kind {
            let column = snake_case(&column.name);
            let _ = writeln!(
                sql,
                "ALTER TABLE {name} ALTER {column} TYPE vector({dims}) USING {column}::vector({dims});\n\
                 CREATE INDEX ON {name} USING hnsw ({column} vector_cosine_ops);"
            );
        }
    }
    sql
}

/// Adds a row as a line of `COPY`'s text format. PostgreSQL has no NUL in texts: it becomes U+FFFD.
pub fn write_row(row: &Value, columns: &[Column], line: &mut String) {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            line.push('\t');
        }
        match &row[column.name.as_str()] {
            Value::Null => line.push_str("\\N"),
            value => escape(&text(value, &column.kind), line),
        }
    }
    line.push('\n');
}

/// A value as PostgreSQL reads its type.
fn text(value: &Value, kind: &Kind) -> String {
    match (kind, value) {
        (Kind::List(item), Value::Array(values)) if !matches!(**item, Kind::Object(_)) => {
            let items: Vec<String> =
                values.iter().map(|value| quoted(&text(value, item))).collect();
            format!("{{{}}}", items.join(","))
        }
        (Kind::Vector(_), Value::Array(values)) => {
            let component = |value: &Value| (value.as_f64().unwrap_or_default() as f32).to_string();
            format!("{{{}}}", values.iter().map(component).collect::<Vec<_>>().join(","))
        }
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// An item of an array.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn escape(text: &str, line: &mut String) {
    for character in text.chars() {
        match character {
            '\\' => line.push_str("\\\\"),
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\0' => line.push(char::REPLACEMENT_CHARACTER),
            other => line.push(other),
        }
    }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// `zipCode5` as `zip_code5`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Code => "text".to_owned(),
        Kind::Day => "date".to_owned(),
        Kind::Integer => "bigint".to_owned(),
        Kind::Number => "double precision".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Object(_) => "jsonb".to_owned(),
        Kind::Vector(_) => "real[]".to_owned(),
        Kind::List(item) => match **item {
            Kind::Object(_) | Kind::List(_) | Kind::Vector(_) => "jsonb".to_owned(),
            _ => format!("{}[]", type_of(item)),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn column(name: &str, kind: Kind, is_nullable: bool) -> Column {
        Column { name: name.into(), kind, description: format!("It's {name}."), is_nullable }
    }

    fn table() -> Outline {
        let texts = Kind::List(Box::new(Kind::Text));
        Outline {
            name: "things",
            description: "A thing.".into(),
            columns: vec![
                column("ein", Kind::Code, false),
                column("zipCode5", Kind::Text, true),
                column("tags", texts, true),
                column("odd", Kind::List(Box::new(Kind::Object(Vec::new()))), true),
                column("vector", Kind::Vector(2), true),
            ],
            key: Some("ein"),
            partition: None,
            lookups: &[&["zipCode5", "ein"]],
            names: Some("zipCode5"),
        }
    }

    #[test]
    fn statements() {
        let sql = definition(&table());
        let expected = "CREATE TABLE things (\n    ein text NOT NULL PRIMARY KEY,\n    zip_code5 text,\n    \
                        tags text[],\n    odd jsonb,\n    vector real[]\n);\nCOMMENT ON TABLE things IS 'A thing.';\n";
        assert!(sql.starts_with(expected), "{sql}");
        assert!(sql.contains("COMMENT ON COLUMN things.zip_code5 IS 'It''s zipCode5.';"), "{sql}");
        let sql = indexes(&table());
        assert!(sql.contains("ON things (zip_code5, ein);"), "{sql}");
        assert!(sql.contains("gin (zip_code5 gin_trgm_ops)"), "{sql}");
        assert!(vectors(&table()).contains("TYPE vector(2) USING vector::vector(2);"));
        assert_eq!(loading(&table()), "\\copy things from 'things.tsv'\n");
    }

    #[test]
    fn rows_are_lines_of_copy() {
        let row = json!({
            "ein": "990000001", "zipCode5": "a\tb\\c\nd\u{0}", "tags": ["x,\"y\"", "\\", ""],
            "odd": [{ "a": "\"" }], "vector": [0.1_f32, -1.0],
        });
        let mut line = String::new();
        write_row(&row, &table().columns, &mut line);
        let expected = "990000001\ta\\tb\\\\c\\nd\u{fffd}\t{\"x,\\\\\"y\\\\\"\",\"\\\\\\\\\",\"\"}\t\
                        [{\"a\":\"\\\\\"\"}]\t{0.1,-1}\n";
        assert_eq!(line, expected);
        line.clear();
        write_row(&json!({ "ein": "990000001" }), &table().columns, &mut line);
        assert_eq!(line, "990000001\t\\N\t\\N\t\\N\t\\N\n");
    }
}
