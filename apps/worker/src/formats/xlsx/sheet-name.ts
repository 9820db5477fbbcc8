const maxNameLength = 31;
const reservedName = "history";

/** Returns a valid, unused sheet name. A title that is too long is cut at a colon, comma or dash, else after a whole word. */
export function createSheetName(wanted: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` ${number}`;
    const name = `${shortenName(wanted.toWellFormed(), maxNameLength - suffix.length) || "Sheet"}${suffix}`;
    if (name.toLowerCase() !== reservedName && !taken.some((other) => other.toLowerCase() === name.toLowerCase()))
      return name;
  }
}

export function quoteSheetName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

function shortenName(title: string, length: number): string {
  const whole = removeForbidden(title);
  if (whole.length <= length) return whole;
  const part = removeForbidden(title.split(/[:,;(]|\s[–—-]\s/u)[0] ?? "");
  if (part !== "" && part.length <= length) return part;
  const words = whole.slice(0, length + 1).replace(/ \S*$/u, "");
  return removeForbidden(
    words.length <= length
      ? words
      : whole
          .slice(0, length)
          .toWellFormed()
          .replace(/\uFFFD$/u, ""),
  );
}

function removeForbidden(text: string): string {
  return text.replaceAll(/[[\]:*?/\\\p{Cc}\s]+/gu, " ").replaceAll(/^['\s]+|(?<!['\s])['\s]+$/g, "");
}
