import { createProgressBar, widthOf, type BarStream, type ProgressBar } from "./progress-bar.ts";
import { formatExpanded, formatTabbed, formatTable, type TableColumn } from "./format-table.ts";
import { safeJson } from "./safe-text.ts";

/** Where a command writes: data to standard output, progress and words to standard error. */
export interface Output {
  /** Whether a person reads the data. */
  readonly isTerminal: boolean;
  readonly bar: ProgressBar;
  /** A line of words. Parts of it that come from elsewhere are made safe by the caller. */
  say(line: string): void;
  /** A line of data. Parts of it that come from elsewhere are made safe by the caller. */
  write(line: string): void;
  /** Bytes, as data. */
  readonly bytes: WritableStream<Uint8Array>;
  /** Resolves once all data are written: at once where bytes are not yet, because whoever gave the rest of them up waits for no reader. */
  flushed(): Promise<void>;
  /** Rows as a table on a terminal, as lines with tabs elsewhere; as NDJSON where that is asked for. */
  writeRows<Row>(rows: AsyncIterable<Row> | Iterable<Row>, options: RowOptions<Row>): Promise<void>;
}

/** How rows are shown. */
export interface RowOptions<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly json: boolean;
  /** Where it is given, rows whose columns do not fit beside each other have a line for each field, and this is said. */
  readonly whenExpanded?: string;
}

/** What the output needs of a process. */
export interface OutputStreams {
  readonly stdout: BarStream & Pick<NodeJS.WritableStream, "write">;
  readonly stderr: BarStream;
}

/** `now` is a clock in milliseconds, `terminal` the kind of the terminal (`TERM`). */
export function createOutput(
  { stdout, stderr }: OutputStreams,
  options: {
    readonly now: () => number;
    readonly terminal: string | undefined;
    /** Is called when a line of data cannot be written: the reader has seen enough, or there is no space. */
    readonly onUnwritable: (error: NodeJS.ErrnoException) => void;
  },
): Output {
  const bar = createProgressBar(stderr, options);
  const isTerminal = stdout.isTTY === true;
  const write = (line: string): void => {
    bar.clear();
    stdout.write(`${line}\n`, (error) => {
      if (error) options.onUnwritable(error);
    });
  };
  const say = (line: string): void => {
    bar.clear();
    stderr.write(`${line}\n`);
  };
  let isHeldUp = false;
  return {
    isTerminal,
    bar,
    say,
    write,
    bytes: new WritableStream({
      async write(bytes) {
        isHeldUp = true;
        await writeBytes(stdout, bytes);
        isHeldUp = false;
      },
    }),
    async flushed() {
      if (!isHeldUp) await writeBytes(stdout, "").catch(() => undefined);
    },
    async writeRows(rows, { columns, json, whenExpanded }) {
      if (isTerminal && !json) {
        const all = await Array.fromAsync(rows);
        if (all.length === 0) return;
        const { lines, leftOut, fits } = formatTable(columns, all, widthOf(stdout));
        const isExpanded = !fits && whenExpanded !== undefined;
        for (const line of isExpanded ? formatExpanded(columns, all, widthOf(stdout)) : lines) write(line);
        if (isExpanded) say(whenExpanded);
        else if (leftOut.length > 0) say(`No room for ${leftOut.join(", ")}; --json has all.`);
        return;
      }
      for await (const row of rows) write(json ? safeJson(row) : formatTabbed(columns, row));
    },
  };
}

/** Resolves when the bytes are written, so that no more of them are held than one part of a file. */
async function writeBytes(stdout: OutputStreams["stdout"], bytes: Uint8Array | string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  await promise;
}
