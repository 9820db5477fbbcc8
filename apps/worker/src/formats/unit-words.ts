import { toSingularUnit, type Language } from "@reports/core/report";
import { memoize } from "./memoize.ts";

/** Maximum number of decimal places that the plural form of a unit depends on: 1 day, but 1.0 days. */
const maxPlaces = 20;
const maxCachedForms = 200;

export function translateUnit(unit: string, number: string, language: Language): string {
  const singular = toSingularUnit(unit);
  if (singular === null) return unit;
  const places = Math.min(maxPlaces, /\.(\d+)$/.exec(number)?.[1]?.length ?? 0);
  const formOf = pluralForms(`${language} ${singular} ${places}`);
  return formOf(Number(number)) ?? unit;
}

const pluralForms = memoize((key) => {
  const [language, unit, places] = key.split(" ") as [Language, string, string];
  const rules = new Intl.PluralRules(language, { minimumFractionDigits: Number(places) });
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    minimumFractionDigits: Number(places),
  });
  const words = new Map<Intl.LDMLPluralRule, string | undefined>();
  return (number: number): string | undefined => {
    const form = rules.select(number);
    if (!words.has(form)) words.set(form, format.formatToParts(number).find(({ type }) => type === "unit")?.value);
    return words.get(form);
  };
}, maxCachedForms);
