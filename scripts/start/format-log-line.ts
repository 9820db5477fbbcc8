const hiddenFields = new Set(["level", "time", "pid", "hostname", "name", "msg", "requestId", "traceparent"]);

const styles = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
type Style = keyof typeof styles;

const levelStyles: Readonly<Record<string, Style>> = {
  trace: "dim",
  debug: "dim",
  info: "green",
  warn: "yellow",
  error: "red",
  fatal: "red",
};

/** Formats a JSON log line as `12:00:01 info  api     message  key=value`. Includes the request ID only for warnings and errors. */
export function formatLogLine(name: string, line: string, colours: boolean): string {
  const paint = (style: Style | undefined, text: string): string =>
    colours && style !== undefined ? `\u001B[${styles[style]}m${text}\u001B[0m` : text;
  const source = paint("cyan", name.padEnd(6));
  const entry = parseEntry(line);
  if (entry === null) return `${" ".repeat(14)} ${source}  ${line}`;
  const { level } = entry;
  const time = entry.time === undefined ? "" : new Date(entry.time).toTimeString().slice(0, 8);
  const fields = Object.entries(entry)
    .filter(([key, value]) => value !== null && (!hiddenFields.has(key) || (key === "requestId" && isProblem(level))))
    .map(([key, value]) => ` ${key}=${fieldText(value)}`)
    .join("");
  const output = isProblem(level) ? paint(levelStyles[level], entry.msg) : entry.msg;
  return `${paint("dim", time.padEnd(8))} ${paint(levelStyles[level], level.padEnd(5))} ${source}  ${output}${fields === "" ? "" : ` ${paint("dim", fields)}`}`;
}

export function wantsColours(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused } = environment;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (refused !== undefined && refused !== "") return false;
  return isTerminal && environment["TERM"] !== "dumb";
}

function isProblem(level: string): boolean {
  return level === "warn" || level === "error" || level === "fatal";
}

interface LogEntry {
  readonly level: string;
  readonly msg: string;
  readonly time?: string | number;
}

function parseEntry(line: string): LogEntry | null {
  if (!line.startsWith("{")) return null;
  try {
    const parsed = JSON.parse(line) as Partial<LogEntry>;
    return typeof parsed.msg === "string" && typeof parsed.level === "string" ? (parsed as LogEntry) : null;
  } catch {
    return null;
  }
}

function fieldText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "message" in value) return JSON.stringify(value.message);
  return JSON.stringify(value);
}
