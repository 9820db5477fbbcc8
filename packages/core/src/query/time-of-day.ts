import { normaliseDecimal } from "./decimal.ts";

export const timeOfDayRule = "a time of day from 00:00 to 24:00, such as 08:30 or 08:30:15.5";

export const timeOfDayPattern =
  /^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?|24:00(?::00(?:\.0{1,6})?)?)$/;

/** Returns a time of day as Postgres writes it: `08:30` becomes `08:30:00`, and `08:30:15.50` becomes `08:30:15.5`. Returns null for other text. */
export function normaliseTimeOfDay(text: string): string | null {
  if (!timeOfDayPattern.test(text)) return null;
  const [whole = "", fraction = "0"] = text.split(".");
  const point = normaliseDecimal(`0.${fraction}`)!.slice(1);
  return `${whole.padEnd("hh:mm:ss".length, ":00")}${point}`;
}
