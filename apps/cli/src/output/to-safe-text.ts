/** Characters that a terminal executes, reorders or hides: control characters, line separators, direction marks, zero-width characters. */
const unsafeCharacters =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Escapes unsafe characters, such as ESC as `\u{1b}`, so that the text is one harmless line. */
export function toSafeText(text: string): string {
  return text.replaceAll(unsafeCharacters, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Returns JSON in which unsafe characters are escaped. JSON.stringify escapes only C0 control characters and lone surrogates. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(unsafeCharacters, (character) =>
    Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
