import { createProgressBar, readTerminalWidth, type ProgressBarStream, type ProgressBar } from "./progress-bar.ts";
import {
  formatExpandedRows,
  formatTabbedRow,
  formatTabbedHeadings,
  formatTable,
  type TableColumn,
} from "./format-table.ts";
import { toSafeJson } from "./to-safe-text.ts";

/** Where a command prints: data to standard output, messages and progress to standard error. */
export interface CommandOutput {
  readonly isTerminal: boolean;
  readonly bar: ProgressBar;
  /** Prints a message. The caller must escape texts from elsewhere with `toSafeText`, as for `write`. */
  say(line: string): void;
  write(line: string): void;
  readonly bytes: WritableStream<Uint8Array>;
  /** Resolves when all data are written. If a write of `bytes` is blocked, resolves immediately, so that the program can end. */
  flushed(): Promise<void>;
  /** Prints a table on a terminal, and elsewhere lines with tabs. Prints NDJSON if `json` is set. */
  writeRows<Row>(rows: AsyncIterable<Row> | Iterable<Row>, options: RowOutputOptions<Row>): Promise<void>;
}

export interface RowOutputOptions<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly json: boolean;
  /** Whether headings are also printed if standard output is not a terminal. */
  readonly headings?: boolean;
  /** If set, rows that do not fit are printed with one line per field, followed by this message. */
  readonly whenExpanded?: string;
}

export interface OutputStreams {
  readonly stdout: ProgressBarStream & Pick<NodeJS.WritableStream, "write">;
  readonly stderr: ProgressBarStream;
}

/** Creates the output. `now` is a clock in ms. `terminal` is the kind of the terminal (TERM). */
export function createOutput(
  { stdout, stderr }: OutputStreams,
  options: {
    readonly now: () => number;
    readonly terminal: string | undefined;
    /** Called when a line of data cannot be written, because the reader has ended or the disk is full. */
    readonly onUnwritable: (error: NodeJS.ErrnoException) => void;
  },
): CommandOutput {
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
  let isBlocked = false;
  return {
    isTerminal,
    bar,
    say,
    write,
    bytes: new WritableStream({
      async write(bytes) {
        isBlocked = true;
        await writeBytes(stdout, bytes);
        isBlocked = false;
      },
    }),
    async flushed() {
      if (!isBlocked) await writeBytes(stdout, "").catch(() => undefined);
    },
    async writeRows(rows, { columns, json, whenExpanded, headings }) {
      if (isTerminal && !json) {
        const all = await Array.fromAsync(rows);
        if (all.length === 0) return;
        const settings = { width: readTerminalWidth(stdout), now: Date.now() };
        const { lines, omitted, fits } = formatTable(columns, all, settings);
        const isExpanded = !fits && whenExpanded !== undefined;
        for (const line of isExpanded ? formatExpandedRows(columns, all, settings) : lines) write(line);
        if (isExpanded) say(whenExpanded);
        else if (omitted.length > 0) say(`No room for ${omitted.join(", ")}; --json has all.`);
        return;
      }
      if (headings === true && !json) write(formatTabbedHeadings(columns));
      for await (const row of rows) write(json ? toSafeJson(row) : formatTabbedRow(columns, row));
    },
  };
}

/** Resolves when the bytes are written, so that at most one part of a file is in memory. */
async function writeBytes(stdout: OutputStreams["stdout"], bytes: Uint8Array | string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  await promise;
}
