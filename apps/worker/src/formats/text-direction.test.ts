import { describe, expect, it } from "vitest";
import { directionOf, isolate, isolateNames } from "./text-direction.ts";

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
])("the first letter of the prose %j gives it its direction", (text, direction) => {
  expect(directionOf(text)).toBe(direction);
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
];
const idsAlone = ["דוגמה-abc-1", "#דוגמה-5", "דוגמה1", "sha256-דוגמה"];

describe("names", () => {
  it.each([...names, ...idsAlone])("%j has the direction from left to right", (name) => {
    expect(directionOf(name)).toBe("ltr");
    expect(isolate(name)).toBe(`\u2066${name}\u2069`);
  });

  it.each(names)("%j at the start of prose does not turn it round", (name) => {
    expect(directionOf(`${name} is down`)).toBe("ltr");
    expect(isolateNames(`${name} is down`)).toBe(`\u2066${name}\u2069 is down`);
  });

  it.each(names)("%j within right-to-left prose keeps the order of its parts", (name) => {
    expect(directionOf(`שלום ${name} עולם`)).toBe("rtl");
    expect(isolateNames(`שלום ${name} עולם`)).toBe(`שלום \u2066${name}\u2069 עולם`);
  });

  it.each(["edge.example.com", "10:30", "שלום. עולם", "a\u2067b", "٢٨\u200F/٠٢"])(
    "%j has nothing to isolate",
    (text) => {
      expect(isolateNames(text)).toBe(text);
    },
  );

  it("marks that a text brings along stay outside of the isolates of its names", () => {
    expect(isolateNames("\u2068דוגמה.example.com\u2069 · 1")).toBe("\u2068\u2066דוגמה.example.com\u2069\u2069 · 1");
  });
});
