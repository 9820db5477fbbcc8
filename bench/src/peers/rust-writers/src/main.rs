//! Writes the rows of a query as csv, json or xlsx. Arguments: format, database URL, query file, path.

mod json;
mod rows;
mod xlsx;

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use postgres::{Client, Config, NoTls};

const BUFFER_BYTES: usize = 256 * 1024;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [format, url, query_file, path, ..] = &arguments[..] else {
        return Err("usage: rust-writers csv|json|xlsx URL QUERY_FILE PATH".into());
    };
    let query = fs::read_to_string(query_file)?;
    let mut client = url
        .parse::<Config>()?
        .options("-c TimeZone=UTC")
        .connect(NoTls)?;
    match format.as_str() {
        "csv" => write_csv(&mut client, &query, path),
        "json" => json::write(&mut client, &query, path),
        "xlsx" => xlsx::write(&mut client, &query, path),
        _ => Err(format!("unknown format: {format}").into()),
    }
}

fn write_csv(client: &mut Client, query: &str, path: &str) -> Outcome<()> {
    let mut reader = client.copy_out(&rows::copy_statement(query))?;
    let mut file = create_file(path)?;
    io::copy(&mut reader, &mut file)?;
    Ok(file.flush()?)
}

fn create_file(path: &str) -> io::Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(BUFFER_BYTES, File::create(path)?))
}
