//! An array of one object per row, written with serde_json.

use std::io::Write;

use csv::StringRecord;
use postgres::Client;
use serde::ser::Error;
use serde::{Serialize, Serializer};

use crate::rows::{self, Column, Kind};
use crate::{Outcome, create_file};

pub fn write(client: &mut Client, query: &str, path: &str) -> Outcome<()> {
    let columns = rows::describe(client, query)?;
    let mut reader = rows::read(client, query)?;
    let mut file = create_file(path)?;
    let mut fields = StringRecord::new();
    let mut separator = "[\n";
    while reader.read_record(&mut fields)? {
        file.write_all(separator.as_bytes())?;
        separator = ",\n";
        serde_json::to_writer(
            &mut file,
            &Row {
                columns: &columns,
                fields: &fields,
            },
        )?;
    }
    file.write_all(b"\n]\n")?;
    Ok(file.flush()?)
}

struct Row<'a> {
    columns: &'a [Column],
    fields: &'a StringRecord,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.columns.iter().zip(self.fields);
        serializer.collect_map(cells.map(|(column, text)| {
            (
                &column.name,
                Cell {
                    kind: column.kind,
                    text,
                },
            )
        }))
    }
}

struct Cell<'a> {
    kind: Kind,
    text: &'a str,
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text;
        match self.kind {
            _ if text.is_empty() => serializer.serialize_none(),
            Kind::Boolean => serializer.serialize_bool(text == "t"),
            Kind::Decimal => serializer.serialize_f64(text.parse().map_err(S::Error::custom)?),
            Kind::Integer => serializer.serialize_i64(text.parse().map_err(S::Error::custom)?),
            Kind::List => serializer.collect_seq(rows::elements(text)),
            Kind::Text => serializer.serialize_str(text),
            Kind::Time => {
                let (date, time) = rows::date_and_time(text);
                serializer.collect_str(&format_args!("{date}T{time}Z"))
            }
        }
    }
}
