/** In UTF-16 units. */
const maxForeignLength = 500;

// Control characters but tab and line feed, line and paragraph separators, direction controls, lone surrogates and noncharacters.
const unprintable =
  /(?![\t\n])\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff\u{1fffe}\u{1ffff}\u{10fffe}\u{10ffff}]/gu;

/**
 * Makes foreign text safe for Postgres, JSON and a log line: unsafe, hidden or reordering characters become U+FFFD. A longer text is cut at
 * a code point and ends with an ellipsis. Never throws.
 */
export function foreignText(text: string, maxLength: number = maxForeignLength): string {
  const isLong = text.length > maxLength;
  // Cut first, because the replacement reads each character. A cut surrogate pair is removed.
  const part = isLong ? text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "") : text;
  return `${part.replace(/\r\n?/g, "\n").replace(unprintable, "\ufffd")}${isLong ? "…" : ""}`;
}

/** Returns the message of any thrown value, as foreignText does. Foreign errors can have throwing properties. */
export function foreignMessage(thrown: unknown, maxLength?: number): string {
  const isObject = (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
  const message = isObject ? readForeign(thrown, "message") : String(thrown);
  if (typeof message === "string" && message !== "") return foreignText(message, maxLength);
  return "The error has no readable message.";
}

/** Reads a property of a foreign value; undefined if it is missing or throws. */
export function readForeign(value: unknown, property: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[property];
  } catch {
    return undefined;
  }
}
