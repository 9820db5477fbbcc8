const maxForeignLength = 500;

// Matches control characters except tab and line feed, line and paragraph separators, direction controls, lone surrogates and noncharacters.
const unsafeCharacters =
  /(?![\t\n])\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff\u{1fffe}\u{1ffff}\u{10fffe}\u{10ffff}]/gu;

/**
 * Makes a text from outside safe for Postgres, JSON and log lines: replaces unsafe and direction-changing characters by U+FFFD. Cuts a text to
 * `maxLength` UTF-16 units, with an ellipsis as the last. Never throws.
 */
export function sanitiseUntrustedText(text: string, maxLength: number = maxForeignLength): string {
  const isLong = text.length > maxLength;
  // A long text is cut first, because the replacement reads every character. Half of a surrogate pair at the cut is removed.
  const part = isLong ? text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "") : text;
  return `${part.replace(/\r\n?/g, "\n").replace(unsafeCharacters, "\ufffd")}${isLong ? "…" : ""}`;
}

/** Returns the message of any thrown value, made safe by sanitiseUntrustedText. Never throws, although a property of a foreign value can throw. */
export function readThrownMessage(thrown: unknown, maxLength?: number): string {
  const isObject = (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
  const message = isObject ? readPropertySafely(thrown, "message") : String(thrown);
  if (typeof message === "string" && message !== "") return sanitiseUntrustedText(message, maxLength);
  return "The error has no readable message.";
}

export function readPropertySafely(value: unknown, property: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[property];
  } catch {
    return undefined;
  }
}
