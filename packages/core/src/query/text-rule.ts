/** The rule of a text field, and of filters that search it. */
export interface TextRule {
  /** Completes "must be". */
  readonly words: string;
  /** Allowed characters, for JSON Schema. */
  readonly pattern: string;
  /** Returns the stored form; null if invalid. */
  read(text: string): string | null;
}

/** One line of text, or several with `multiline`, without other control characters. Lengths count characters. */
export function textRule(
  maxLength: number,
  { multiline = false, minLength = 1 }: { readonly multiline?: boolean; readonly minLength?: number } = {},
): TextRule {
  const forbidden = multiline ? /(?![\t\n\r])[\p{Cc}\p{Cs}]/u : /[\p{Cc}\p{Cs}]/u;
  return {
    words: `text of ${minLength} to ${maxLength} characters without control characters${multiline ? " other than line breaks and tabs" : ""}`,
    pattern: multiline
      ? "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$"
      : "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
    read: (text) => readText(text, { minLength, maxLength, forbidden }),
  };
}

/** Text that a foreign table may hold: Postgres has no NUL in text, and a lone surrogate has no UTF-8 form. */
export function anyTextRule(maxLength: number): TextRule {
  return {
    words: `text of 1 to ${maxLength} characters without NUL`,
    pattern: "^[^\\u0000]*$",
    read: (text) => (text.includes("\0") ? null : readText(text, { minLength: 1, maxLength, forbidden: /\p{Cs}/u })),
  };
}

function readText(
  given: string,
  {
    minLength,
    maxLength,
    forbidden,
  }: { readonly minLength: number; readonly maxLength: number; readonly forbidden: RegExp },
): string | null {
  // Texts that look alike are stored alike, so that search finds them.
  const text = given.normalize("NFC");
  // Postgres and JSON Schema count characters, JavaScript counts UTF-16 units.
  const length = text.length <= maxLength ? Math.min(text.length, minLength) : [...text].length;
  return length >= minLength && length <= maxLength && !forbidden.test(text) ? text : null;
}
