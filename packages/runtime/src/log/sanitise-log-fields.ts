export type LogFields = Readonly<Record<string, unknown>>;

const redactedText = "[redacted]";
const maxDepth = 6;
const maxItems = 100;
const maxTextLength = 8_192;
/** Maximum number of values per log line, because an error can contain other errors without end. */
const maxValues = 1_000;
const unreadableText = "[unreadable]";

const sensitiveNamePattern =
  /authorization|cookie|password|passwd|secret|token|credential|api-?_?key|access-?_?key|private-?_?key|searchparam/i;
// The patterns below match text of any length, because texts are cut to a maximum length before they are searched.
const urlPasswordPattern = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;
const credentialsPattern = /\b(bearer|basic) +[A-Za-z0-9._~+/=-]+/gi;
// Matches a JSON web token, also one whose end was cut off. Its second and third part are optional, so that a search never backtracks.
const jwtPattern = /\beyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){0,2}/g;
// Matches characters that control terminals, or that reorder or split lines. JSON itself escapes the control characters below U+0020.
const controlCharactersPattern = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** `stacks` logs each error with its stack, `messages` with one line per error and cause. */
export type LoggedErrorDetail = "stacks" | "messages";

/** Masks credentials and the values of fields with sensitive names, escapes terminal controls, and limits size and depth. */
export function sanitiseLogFields(fields: LogFields, detail: LoggedErrorDetail): Record<string, unknown> {
  return createSanitiser(detail === "stacks" ? sanitiseError : summariseError).sanitiseObject(fields, 0, new Set());
}

type Sanitise = (value: unknown, depth: number, above: Set<object>) => unknown;

function createSanitiser(ofError: (error: Error, depth: number, above: Set<object>, sanitise: Sanitise) => unknown) {
  let values = 0;
  return { sanitiseObject };

  /** Returns a copy of a value that is safe to log. A value from other code can have getters that throw, and is then replaced by a fixed text. */
  function sanitise(value: unknown, depth: number, above: Set<object>): unknown {
    if (++values > maxValues) return "[more]";
    try {
      return sanitiseValue(value, depth, above);
    } catch {
      return unreadableText;
    }
  }

  function sanitiseValue(value: unknown, depth: number, above: Set<object>): unknown {
    if (typeof value === "string") return sanitiseLogText(value);
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (above.has(value)) return "[circular]";
    if (depth >= maxDepth) return "[deep]";
    above.add(value);
    try {
      if (value instanceof Error) return ofError(value, depth, above, sanitise);
      if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => sanitise(item, depth + 1, above));
      if (value instanceof Map) return sanitiseObject(Object.fromEntries(value) as LogFields, depth, above);
      if (value instanceof Set) return [...value].slice(0, maxItems).map((item) => sanitise(item, depth + 1, above));
      if (value instanceof URL) return sanitiseLogText(value.href);
      if (hasToJson(value)) return sanitise(value.toJSON(), depth + 1, above);
      return sanitiseObject(value as LogFields, depth, above);
    } finally {
      above.delete(value);
    }
  }

  function sanitiseObject(fields: LogFields, depth: number, above: Set<object>): Record<string, unknown> {
    const entries = Object.entries(fields).slice(0, maxItems);
    return Object.fromEntries(
      entries.map(([name, value]) => [
        name,
        sensitiveNamePattern.test(name) && value !== undefined && value !== null
          ? redactedText
          : sanitise(value, depth + 1, above),
      ]),
    );
  }
}

function sanitiseError(error: Error, depth: number, above: Set<object>, sanitise: Sanitise): Record<string, unknown> {
  const code = codeOf(error);
  return {
    name: toText(error.name),
    message: toText(error.message),
    ...(code === undefined ? {} : { code }),
    stack: toText(error.stack),
    ...(error.cause === undefined ? {} : { cause: sanitise(error.cause, depth + 1, above) }),
    ...(error instanceof AggregateError ? { errors: sanitise(error.errors, depth + 1, above) } : {}),
  };
}

/** Maximum number of nested causes of an error in a line. Since each message has a maximum length, the line has at most about two kilobytes. */
const maxCauses = 4;
const maxMessageLength = 300;

function summariseError(error: Error): Record<string, unknown> {
  const causes: string[] = [];
  const seen = new Set<unknown>([error]);
  for (let next = causeOf(error); next !== undefined && !seen.has(next) && causes.length < maxCauses;) {
    seen.add(next);
    causes.push(describeCause(next));
    next = causeOf(next);
  }
  const code = codeOf(error);
  return {
    name: toText(error.name),
    message: firstLine(error.message),
    ...(code === undefined ? {} : { code }),
    ...(causes.length === 0 ? {} : { causes }),
  };
}

function causeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause === "string" ? firstLine(cause) : `[${typeof cause}]`;
  const code = codeOf(cause);
  return `${toText(cause.name)}: ${firstLine(cause.message)}${code === undefined ? "" : ` (${code})`}`;
}

function codeOf(error: Error): string | number | undefined {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? sanitiseLogText(code) : typeof code === "number" ? code : undefined;
}

/** Returns the first line of a message. Libraries put parameters and excerpts of data on the following lines. */
function firstLine(text: unknown): string {
  if (typeof text !== "string") return unreadableText;
  const line = text.split("\n", 1)[0] ?? "";
  return sanitiseLogText(line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** Returns the text of an error's property, which can have any type if other code has made the error. */
function toText(value: unknown): string {
  return typeof value === "string" ? sanitiseLogText(value) : value === undefined ? "" : unreadableText;
}

/** Masks credentials in a text, escapes control characters and limits the length. */
export function sanitiseLogText(text: string): string {
  const bounded = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}… (${text.length} characters)` : text;
  return bounded
    .toWellFormed()
    .replace(urlPasswordPattern, `$1:${redactedText}@`)
    .replace(credentialsPattern, `$1 ${redactedText}`)
    .replace(jwtPattern, redactedText)
    .replace(controlCharactersPattern, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
