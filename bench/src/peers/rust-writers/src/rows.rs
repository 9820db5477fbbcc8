//! Rows of a query, read through COPY, with the kinds of their columns.

use csv::{Reader, ReaderBuilder};
use postgres::types::Type;
use postgres::{Client, CopyOutReader};

use crate::{BUFFER_BYTES, Outcome};

#[derive(Clone, Copy)]
pub enum Kind {
    Boolean,
    Decimal,
    Integer,
    List,
    Text,
    Time,
}

pub struct Column {
    pub name: String,
    pub kind: Kind,
}

pub fn copy_statement(query: &str) -> String {
    format!("copy ({query}) to stdout (format csv)")
}

/// Returns the columns of the query. Postgres describes them without running the query.
pub fn describe(client: &mut Client, query: &str) -> Outcome<Vec<Column>> {
    let statement = client.prepare(query)?;
    let columns = statement.columns().iter();
    Ok(columns
        .map(|column| Column {
            name: column.name().to_owned(),
            kind: kind_of(column.type_()),
        })
        .collect())
}

pub fn read<'a>(client: &'a mut Client, query: &str) -> Outcome<Reader<CopyOutReader<'a>>> {
    let reader = client.copy_out(&copy_statement(query))?;
    Ok(ReaderBuilder::new()
        .has_headers(false)
        .buffer_capacity(BUFFER_BYTES)
        .from_reader(reader))
}

/// Returns the elements of a Postgres array of codes. Codes contain no characters that arrays quote.
pub fn elements(array: &str) -> impl Iterator<Item = &str> {
    array
        .trim_matches(['{', '}'])
        .split(',')
        .filter(|element| !element.is_empty())
}

/// Returns the date and the time of a timestamp in UTC, such as `2026-11-28 03:04:30+00`.
pub fn date_and_time(timestamp: &str) -> (&str, &str) {
    (&timestamp[..10], timestamp[11..].trim_end_matches("+00"))
}

fn kind_of(column_type: &Type) -> Kind {
    match *column_type {
        Type::BOOL => Kind::Boolean,
        Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC => Kind::Decimal,
        Type::INT2 | Type::INT4 | Type::INT8 => Kind::Integer,
        Type::TEXT_ARRAY => Kind::List,
        Type::TIMESTAMPTZ => Kind::Time,
        _ => Kind::Text,
    }
}
