//! A sheet of typed cells under a bold header, written with the constant memory mode of rust_xlsxwriter.

use csv::StringRecord;
use postgres::Client;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

use crate::Outcome;
use crate::rows::{self, Kind};

pub fn write(client: &mut Client, query: &str, path: &str) -> Outcome<()> {
    let columns = rows::describe(client, query)?;
    let mut reader = rows::read(client, query)?;
    let bold = Format::new().set_bold();
    let timestamp = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory();
    sheet.set_freeze_panes(1, 0)?;
    for (at, column) in (0..).zip(&columns) {
        sheet.set_column_width(at, 20)?;
        sheet.write_string_with_format(0, at, &column.name, &bold)?;
    }
    let mut fields = StringRecord::new();
    let mut row = 0;
    while reader.read_record(&mut fields)? {
        row += 1;
        for (at, (column, text)) in (0..).zip(columns.iter().zip(&fields)) {
            match column.kind {
                _ if text.is_empty() => continue,
                Kind::Boolean => sheet.write_boolean(row, at, text == "t")?,
                Kind::Decimal | Kind::Integer => {
                    sheet.write_number(row, at, text.parse::<f64>()?)?
                }
                Kind::List => sheet.write_string(
                    row,
                    at,
                    rows::elements(text).collect::<Vec<_>>().join("; "),
                )?,
                Kind::Text => sheet.write_string(row, at, text)?,
                Kind::Time => {
                    let (date, time) = rows::date_and_time(text);
                    let moment = ExcelDateTime::parse_from_str(&format!("{date} {time}"))?;
                    sheet.write_datetime_with_format(row, at, &moment, &timestamp)?
                }
            };
        }
    }
    Ok(workbook.save(path)?)
}
