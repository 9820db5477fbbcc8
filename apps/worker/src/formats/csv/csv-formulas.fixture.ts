import { readFileSync } from "node:fs";

/** Texts that a spreadsheet would read as formulas (`live`), and similar texts that the guard must not change (`harmless`). */
export const { live, harmless } = JSON.parse(
  readFileSync(new URL("../../test/corpora/formulas.json", import.meta.url), "utf8"),
) as Readonly<Record<"live" | "harmless", readonly string[]>>;
export const formulaTexts = [...live, ...harmless];

export const toQuotedWire = (text: string): string => `"${text.replaceAll('"', '""')}"`;
export const toWireList = (...items: readonly string[]): string =>
  toQuotedWire(`{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`);

/** Writes a text as COPY does: quoted only if it must be. */
export function toBareWire(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? toQuotedWire(text) : text;
}
