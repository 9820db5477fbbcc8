import type { z } from "zod";
import { parsedText } from "./parsed-text.ts";

/** A time zone, in the IANA database's spelling. */
export function timezoneField(description?: string): z.ZodType<string> {
  const described = description === undefined ? {} : { description };
  return parsedText("must be an IANA time zone, such as Europe/Berlin", described, readTimezone);
}

/** IANA zones and links without an area. */
const zonesWithoutArea: ReadonlySet<string> = new Set(
  (
    "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan " +
    "Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu"
  )
    .toLowerCase()
    .split(" "),
);

/** Reports whether Intl and Postgres both know a zone of this form by the same name. */
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
    // Intl returns renamed zones under their old names: Asia/Calcutta for Asia/Kolkata.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    return null;
  }
}
