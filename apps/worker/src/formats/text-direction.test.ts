import { describe, expect, it } from "vitest";
import { findTextDirection, isolateText, isolateNames } from "./text-direction.ts";

it.each([
  ["שלום", "rtl"],
  ["2026: تقرير المجالات (EU)", "rtl"],
  ["«گزارش»", "rtl"],
  ["\u200F2026", "rtl"],
  ["Domains of שלום", "ltr"],
  ["\u200Eتقرير", "ltr"],
  ["2026 – 1", "ltr"],
  ["١٢ domains", "ltr"],
  ["日本語", "ltr"],
  ["", "ltr"],
  ["שלום!", "rtl"],
  ["שלום עולם", "rtl"],
  ["ה-API עובד", "rtl"],
  ["28 בפבר׳ 2026, 13:14:15", "rtl"],
  ["٢٨\u200F/٠٢\u200F/٢٠٢٦", "rtl"],
  ["\u2067שלום\u2069 · 01930000", "ltr"],
  ["\u2067שלום\u2069, עולם", "rtl"],
])("the first letter of the prose %j decides its direction", (text, direction) => {
  expect(findTextDirection(text)).toBe(direction);
});

const names = [
  "*.דוגמה4.example.com",
  "*.דוגמה.example.com",
  "*.דוגמה",
  "مثال.example.com",
  "*.مثال٤.example.com",
  "דוגמה.ישראל.example.com",
  "https://דוגמה.example.com:8443/נתיב/x?שאלה=1#סוף",
  "//דוגמה/x",
  "/נתיב",
  "דנה@example.com",
  "דוגמה:8443",
  "דוגמה_prod_1",
  "…דוגמה4.example.com",
  "דוגמה.ישראל",
  "תאריך:12/03/2026",
];
const prose = [
  "העובד/ת,",
  "העובד/ת.",
  "و/أو.",
  "(ו/או)",
  "גב'/מר",
  "הוא/היא/הם",
  "100.50ש״ח",
  "1,234,567.50ש״ח",
  "~100.50ש״ח/יום",
  "3.5ريال",
  "12:30ק",
  "12/03/2026ב",
];
const idsAlone = ["דוגמה-abc-1", "#דוגמה-5", "דוגמה1", "sha256-דוגמה"];

describe("names", () => {
  it.each([...names, ...idsAlone])("the name %j is left to right", (name) => {
    expect(findTextDirection(name)).toBe("ltr");
    expect(isolateText(name)).toBe(`\u2066${name}\u2069`);
  });

  it.each(names)("the name %j at the start of prose does not change the direction", (name) => {
    expect(findTextDirection(`${name} is down`)).toBe("ltr");
    expect(isolateNames(`${name} is down`)).toBe(`\u2066${name}\u2069 is down`);
  });

  it.each(names)("the name %j in right-to-left prose keeps the order of its parts", (name) => {
    expect(findTextDirection(`שלום ${name} עולם`)).toBe("rtl");
    expect(isolateNames(`שלום ${name} עולם`)).toBe(`שלום \u2066${name}\u2069 עולם`);
  });

  it.each(prose)("the word %j is prose, not a name", (text) => {
    expect(findTextDirection(text)).toBe("rtl");
    expect(isolateNames(`שלום ${text} עולם`)).toBe(`שלום ${text} עולם`);
  });

  it.each(["12:30", "ב-12:30", "12:30-ב"])("the time %j in prose is not a name", (text) => {
    expect(isolateNames(`שלום ${text} סוף`)).toBe(`שלום ${text} סוף`);
  });

  it.each(["דוגמה.ישראל", "דוגמה4.example.com", "10.0.0.1-דוגמה", "v1.2ש"])(
    "punctuation around the name %j stays outside of its isolate",
    (name) => {
      expect(isolateNames(`שלום ("${name}"), עולם: ${name}.`)).toBe(
        `שלום ("\u2066${name}\u2069"), עולם: \u2066${name}\u2069.`,
      );
    },
  );

  it.each(["edge.example.com", "10:30", "שלום. עולם", "a\u2067b", "٢٨\u200F/٠٢"])(
    "isolateNames does not change %j",
    (text) => {
      expect(isolateNames(text)).toBe(text);
    },
  );

  it("isolateNames keeps the direction marks of a text outside of its isolates", () => {
    expect(isolateNames("\u2068דוגמה.example.com\u2069 · 1")).toBe("\u2068\u2066דוגמה.example.com\u2069\u2069 · 1");
  });
});
