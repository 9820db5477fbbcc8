/** What a text may be: in a field that is written, and in a filter that is to find it. */
export interface TextRule {
  /** In words that complete "must be". */
  readonly words: string;
  /** Which characters it holds, for JSON Schema. */
  readonly pattern: string;
  /** The text as it is kept; null for what cannot be. */
  read(text: string): string | null;
}

/** One line of text, or several where `multiline` is set, without other control characters. Lengths count characters. */
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

/** Whatever a table of others may hold: Postgres has no NUL in text, and a lone surrogate has no UTF-8 form. */
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
  // What looks alike is kept alike, so that it can be found.
  const text = given.normalize("NFC");
  // Postgres and JSON Schema count characters, JavaScript counts UTF-16 units.
  const length = text.length <= maxLength ? Math.min(text.length, minLength) : [...text].length;
  return length >= minLength && length <= maxLength && !forbidden.test(text) ? text : null;
}
