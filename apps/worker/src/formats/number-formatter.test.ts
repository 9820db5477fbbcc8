import { describe, expect, test } from "vitest";
import { getNumberFormatter } from "./number-formatter.ts";

describe("getNumberFormatter", () => {
  test.each([
    ["en", "1234567.50", "1,234,567.50"],
    ["en", "999", "999"],
    ["en", "-1234", "-1,234"],
    ["en", "98765432109876543210987654321", "98,765,432,109,876,543,210,987,654,321"],
    ["de-DE", "1234567.5", "1.234.567,5"],
    ["es", "1234", "1234"],
    ["es", "12345", "12.345"],
    ["hi-IN", "12345678", "1,23,45,678"],
    ["ar-EG", "1234.5", "١٬٢٣٤٫٥"],
    ["en", "NaN", "NaN"],
  ])("in the locale %s, the number %s is written %s, with all digits", (locale, text, expected) => {
    expect(getNumberFormatter(locale).decimal(text)).toBe(expected);
  });

  test.each(["en", "de-DE", "fr-FR", "es", "hi-IN", "sv-SE", "ar-EG", "de-CH", "pl"])(
    "numbers are formatted as Intl does in the locale %s",
    (locale) => {
      const intl = new Intl.NumberFormat(locale);
      for (const value of [0, 7, 1000, 9999, 10_000, 123_456, -5_000_000, 9_007_199_254_740_991]) {
        expect(getNumberFormatter(locale).decimal(String(value))).toBe(intl.format(value));
      }
    },
  );

  test("amounts are written as Intl does, in every currency and locale", () => {
    for (const locale of [
      "en",
      "de",
      "de-CH",
      "de-AT",
      "fr-FR",
      "nl",
      "pl",
      "es",
      "en-IN",
      "ar-EG",
      "he",
      "sv-SE",
      "tr",
    ])
      for (const currency of ["EUR", "USD", "GBP", "CHF", "JPY", "KWD", "PLN", "INR"]) {
        const intl = new Intl.NumberFormat(locale, { style: "currency", currency });
        for (const value of [0, 0.5, 999, 1234.5, -7, -1_234_567.25])
          expect(getNumberFormatter(locale).amount(String(value), currency)).toBe(intl.format(value));
      }
  });

  test.each([
    ["de", "1234.565", "EUR", undefined, "1.234,57\u00a0€"],
    ["de", "1234.565", "EUR", 4, "1.234,5650\u00a0€"],
    ["en", "-0.001", "EUR", undefined, "€0.00"],
    ["en", "12345678901234567890.125", "USD", undefined, "$12,345,678,901,234,567,890.13"],
    ["de", "1234.5", "BTC", undefined, "1.234,5\u00a0BTC"],
    ["en", "1", "not a code", undefined, "1\u00a0not a code"],
    ["en", "1", "", undefined, "1\u00a0"],
    ["en", "NaN", "EUR", undefined, "€NaN"],
  ])("in the locale %s, the amount %s %s with the places %s is written %s", (locale, text, code, digits, expected) => {
    expect(getNumberFormatter(locale).amount(text, code, digits)).toBe(expected);
  });

  test.each([
    ["en", "0.0512", "5.12%"],
    ["en", "0", "0.00%"],
    ["en", "0.00001", "<0.01%"],
    ["en", "1", "100.00%"],
    ["de-DE", "0.5", "50,00\u00a0%"],
    ["tr", "0.5", "%50,00"],
  ])("in the locale %s, the ratio %s is written %s", (locale, text, expected) => {
    expect(getNumberFormatter(locale).percent(text)).toBe(expected);
  });

  test.each([
    ["en", "0", "0 B"],
    ["en", "999", "999 B"],
    ["en", "1000", "1.0 kB"],
    ["en", "999949", "1.0 MB"],
    ["en", "999499", "999 kB"],
    ["en", "99949", "99.9 kB"],
    ["en", "99950", "100 kB"],
    ["en", "16500000000000", "16.5 TB"],
    ["en", "-16500000000000", "-16.5 TB"],
    ["en", "9223372036854775807", "9.2 EB"],
    ["en", "12345678000000000000000", "12,346 EB"],
    ["de-DE", "16500000000000", "16,5 TB"],
    ["ar-EG", "1500", "١٫٥ kB"],
    ["en", "NaN", "NaN"],
  ])("in the locale %s, %s bytes are written %s", (locale, text, expected) => {
    expect(getNumberFormatter(locale).bytes(text)).toBe(expected.replace(" ", "\u00A0"));
  });
});
