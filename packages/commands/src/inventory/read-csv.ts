import { createReadStream } from "node:fs";
import { pipeline, Transform } from "node:stream";
import { CsvError, parse, type Info } from "csv-parse";

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export class CsvParseError extends Error {
  override readonly name = "CsvParseError";
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

const maxRecordBytes = 1_048_576;

/** Reads a CSV file (RFC 4180) in UTF-8, with or without a byte order mark. Skips empty lines. Throws CsvParseError, and errors of the file system. */
export async function* readCsv(
  path: string,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ["\r\n", "\n"],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxRecordBytes,
  });
  let line = 1;
  const checked = createUtf8Check(onBytes);
  pipeline(createReadStream(path, { highWaterMark: 1 << 18, signal }), checked, parser, () => {});
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      line = info.lines;
      yield { line: line - record.reduce((sum, cell) => sum + countLineBreaks(cell), 0), cells: record };
    }
  } catch (error) {
    if (error instanceof CsvError) {
      throw new CsvParseError(errorLine(error, line + 1), `${explainError(error)} The rest of the file was not read.`);
    }
    if (error instanceof TypeError)
      throw new CsvParseError(
        line + 1,
        "This line or one after it is not UTF-8. Save the file as UTF-8. The rest of it was not read.",
      );
    throw error;
  }
}

function errorLine(error: CsvError, nextLine: number): number {
  const isEndless = error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE";
  return isEndless || typeof error["lines"] !== "number" ? nextLine : error["lines"];
}

function explainError(error: CsvError): string {
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "A quoted cell begins here and is never closed.";
    case "CSV_MAX_RECORD_SIZE":
      return `The record is larger than ${maxRecordBytes} bytes, perhaps because a quote is not closed.`;
    default:
      return 'A quote stands where none may: cells with quotes are written as "say ""hello""".';
  }
}

function countLineBreaks(cell: string): number {
  if (!cell.includes("\n")) return 0;
  return cell.split("\n").length - 1;
}

/** Creates a stream that passes bytes on and counts them. It fails with a TypeError at the first bytes that are not UTF-8. */
function createUtf8Check(onBytes: (count: number) => void): Transform {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return new Transform({
    highWaterMark: 1 << 18,
    transform(chunk: Buffer, _encoding, done) {
      try {
        decoder.decode(chunk, { stream: true });
        onBytes(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        decoder.decode();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
