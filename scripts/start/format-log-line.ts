const levels: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
const boilerplate = new Set(["level", "time", "pid", "hostname", "name", "msg"]);

/** A process's line for a person: log lines (JSON) as `api     12:00:01 info  message key=value`, anything else as it is. */
export function formatLogLine(name: string, line: string): string {
  const prefix = name.padEnd(7);
  const entry = parseEntry(line);
  if (entry === null) return `${prefix} ${line}`;
  const time = entry.time === undefined ? "" : `${new Date(entry.time).toTimeString().slice(0, 8)} `;
  const fields = Object.entries(entry)
    .filter(([key]) => !boilerplate.has(key))
    .map(([key, value]) => ` ${key}=${fieldText(value)}`);
  return `${prefix} ${time}${levelName(entry.level).padEnd(5)} ${entry.msg}${fields.join("")}`;
}

interface LogEntry {
  readonly level: number | string;
  readonly msg: string;
  readonly time?: string | number;
}

function parseEntry(line: string): LogEntry | null {
  if (!line.startsWith("{")) return null;
  try {
    const parsed = JSON.parse(line) as Partial<LogEntry>;
    return typeof parsed.msg === "string" && parsed.level !== undefined ? (parsed as LogEntry) : null;
  } catch {
    return null;
  }
}

function levelName(level: number | string): string {
  return typeof level === "string" ? level : (levels[level] ?? String(level));
}

function fieldText(value: unknown): string {
  if (typeof value === "string") return value;
  // Of an error, its message is for the terminal; the stack stays in the JSON that the process writes.
  if (typeof value === "object" && value !== null && "message" in value) return JSON.stringify(value.message);
  return JSON.stringify(value);
}
