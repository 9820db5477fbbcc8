import type { z } from "zod";
import { parsedTextSchema } from "./parsed-text.ts";

/** Returns the schema of an IANA time zone. The schema corrects upper and lower case: `europe/berlin` becomes `Europe/Berlin`. */
export function timezoneField(description?: string): z.ZodType<string> {
  const described = description === undefined ? {} : { description };
  return parsedTextSchema("must be an IANA time zone, such as Europe/Berlin", described, readTimezone);
}

const zonesWithoutArea: ReadonlySet<string> = new Set(
  (
    "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan " +
    "Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu"
  )
    .toLowerCase()
    .split(" "),
);

function looksLikeZone(text: string): boolean {
  // Offsets such as +01:00 are refused: Intl accepts them as zones, and Postgres reads them with the opposite sign.
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/.test(text)) return false;
  // Abbreviations are refused: Intl reads BST as Dhaka and IST as Calcutta, but Postgres reads them differently or not at all.
  return text.includes("/") ? !/^SystemV\//i.test(text) : zonesWithoutArea.has(text.toLowerCase());
}

function readTimezone(text: string): string | null {
  if (!looksLikeZone(text)) return null;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    // For a renamed zone, Intl returns the old name (Asia/Calcutta for Asia/Kolkata). In that case, the caller's name is kept.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    return null;
  }
}
