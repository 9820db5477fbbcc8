import { z } from "zod";

/** Of a report's title, in characters. */
const maxTitleLength = 120;

/** The name of a time zone, in the spelling under which it is known. */
export function timezoneField(description: string): z.ZodType<string> {
  return textField("must be an IANA time zone, such as Europe/Berlin", { description }, readTimezone);
}

/** A language tag, in its canonical form. */
export function localeField(description: string): z.ZodType<string> {
  return textField("must be a language tag (BCP 47), such as en or de-CH", { description }, readLocale);
}

/** The title of a report, as its requester may choose it. */
export function titleField(description: string): z.ZodType<string> {
  const must = `must be text of 1 to ${maxTitleLength} characters without control characters`;
  // In characters, as JSON Schema counts them: zod's max would count UTF-16 units.
  const length = { minLength: 1, maxLength: maxTitleLength };
  return textField(must, { description, ...length }, readTitle);
}

function textField(
  must: string,
  described: { readonly description: string; readonly [keyword: string]: unknown },
  read: (text: string) => string | null,
): z.ZodType<string> {
  return z
    .string(must)
    .meta({ minLength: 1, maxLength: 255, ...described })
    .transform((text, context) => {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue(must);
      return z.NEVER;
    });
}

/** Zones and links of the IANA database without an area in front. */
const zonesWithoutArea: ReadonlySet<string> = new Set(
  (
    "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan " +
    "Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu"
  )
    .toLowerCase()
    .split(" "),
);

/** Whether a text has the form of a zone that Intl and Postgres both know by this name. */
function looksLikeZone(text: string): boolean {
  // Offsets such as +01:00 are zones to Intl, and mean the opposite to Postgres.
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/.test(text)) return false;
  // To Intl BST is Dhaka and IST is Calcutta; Postgres and people know them as other clocks, or not at all.
  return text.includes("/") ? !/^SystemV\//i.test(text) : zonesWithoutArea.has(text.toLowerCase());
}

function readTimezone(text: string): string | null {
  if (!looksLikeZone(text)) return null;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    // Zones that were renamed come back under their old names: Asia/Calcutta for Asia/Kolkata.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    return null;
  }
}

function readLocale(text: string): string | null {
  if (text.length > 35) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

function readTitle(text: string): string | null {
  if (!text.isWellFormed()) return null;
  const title = text.trim();
  const length = [...title].length;
  return length < 1 || length > maxTitleLength || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(title) ? null : title;
}
