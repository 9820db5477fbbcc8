export interface TextRule {
  readonly words: string;
  readonly pattern: string;
  read(text: string): string | null;
}

export function createTextRule(
  maxLength: number,
  { multiline = false, minLength = 1 }: { readonly multiline?: boolean; readonly minLength?: number } = {},
): TextRule {
  const forbidden = multiline ? /(?![\t\n\r])[\p{Cc}\p{Cs}]/u : /[\p{Cc}\p{Cs}]/u;
  return {
    words: `text of ${minLength} to ${maxLength} characters without control characters${multiline ? " other than line breaks and tabs" : ""}`,
    pattern: multiline
      ? "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$"
      : "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
    read: (text) => readText(text, minLength, maxLength, forbidden),
  };
}

/** Returns the rule for any text that a Postgres column can contain: no NUL, and no lone surrogate, which UTF-8 cannot encode. */
export function createStorableTextRule(maxLength: number, minLength = 1): TextRule {
  return {
    words: `text of ${minLength} to ${maxLength} characters without NUL`,
    pattern: "^[^\\u0000]*$",
    read: (text) => (text.includes("\0") ? null : readText(text, minLength, maxLength, /\p{Cs}/u)),
  };
}

function readText(given: string, minLength: number, maxLength: number, forbidden: RegExp): string | null {
  // Unicode can encode the same visible text in several ways. NFC makes them equal, so that a search finds the text.
  const text = given.normalize("NFC");
  // Postgres and JSON Schema count characters, JavaScript counts UTF-16 units.
  const length = [...text].length;
  return length >= minLength && length <= maxLength && !forbidden.test(text) ? text : null;
}
