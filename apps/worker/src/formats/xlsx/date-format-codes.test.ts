import { expect, test } from "vitest";
import { createDateFormatCodes } from "./date-format-codes.ts";

test.each([
  ["en", "yyyy\\-mm\\-dd", "yyyy\\-mm\\-dd\\ hh:mm:ss"],
  ["en-GB", "dd\\/mm\\/yyyy", "dd\\/mm\\/yyyy\\,\\ hh:mm:ss"],
  ["en-US", "mm\\/dd\\/yyyy", "mm\\/dd\\/yyyy\\,\\ hh:mm:ss\\ AM/PM"],
  ["de-DE", "dd\\.mm\\.yyyy", "dd\\.mm\\.yyyy\\,\\ hh:mm:ss"],
  ["sv-SE", "yyyy\\-mm\\-dd", "yyyy\\-mm\\-dd\\ hh:mm:ss"],
  ["zh-CN", "yyyy\\/mm\\/dd", "yyyy\\/mm\\/dd\\ hh:mm:ss"],
  ["he-IL", "dd\\.mm\\.yyyy", "dd\\.mm\\.yyyy\\,\\ hh:mm:ss"],
  ["ja-JP", "yyyy\\/mm\\/dd", "yyyy\\/mm\\/dd\\ hh:mm:ss"],
])("in the locale %s, the date format is %s and the timestamp format is %s", (locale, date, timestamp) => {
  expect(createDateFormatCodes(locale)).toMatchObject({ date, timestamp });
});

test.each(["ar-EG", "fa-IR", "th-TH", "ko-KR", "hu-HU", "sr-Latn-RS", "und"])(
  "in the locale %s, formats have every part of a Gregorian date",
  (locale) => {
    for (const part of ["yyyy", "mm", "dd", "hh:mm:ss"])
      expect(createDateFormatCodes(locale).timestamp).toContain(part);
    expect(createDateFormatCodes(locale).timestamp).not.toMatch(/[^\\](?=[^a-zA-Z:/\\])[^:]/);
  },
);
