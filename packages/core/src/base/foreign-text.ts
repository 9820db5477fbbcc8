/** Default length at which a text is cut, in UTF-16 units. */
const maxForeignLength = 500;

// Control characters except tab and line feed, line and paragraph separators, direction controls, lone surrogates and noncharacters.
const unsafeCharacters =
  /(?![\t\n])\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff\u{1fffe}\u{1ffff}\u{10fffe}\u{10ffff}]/gu;

/** Makes a text from outside safe for Postgres, JSON and log lines: unsafe and direction-changing characters become U+FFFD. Cuts a text above `maxLength` UTF-16 units and appends an ellipsis. Never throws. */
export function sanitiseForeignText(text: string, maxLength: number = maxForeignLength): string {
  const isLong = text.length > maxLength;
  // Cut before the replacement, which reads every character. Half of a surrogate pair at the cut is removed.
  const part = isLong ? text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "") : text;
  return `${part.replace(/\r\n?/g, "\n").replace(unsafeCharacters, "\ufffd")}${isLong ? "…" : ""}`;
}

/** Returns the message of any thrown value, made safe by sanitiseForeignText. Never throws, although properties of such a value can throw. */
export function readForeignMessage(thrown: unknown, maxLength?: number): string {
  const isObject = (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
  const message = isObject ? readForeignProperty(thrown, "message") : String(thrown);
  if (typeof message === "string" && message !== "") return sanitiseForeignText(message, maxLength);
  return "The error has no readable message.";
}

/** Reads a property of a foreign value; undefined if it is missing or throws. */
export function readForeignProperty(value: unknown, property: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[property];
  } catch {
    return undefined;
  }
}
