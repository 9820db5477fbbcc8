import { expect, test } from "vitest";
import { toDirAttribute } from "./direction.ts";

test.each(["*.דוגמה4.example.com", "https://דוגמה.example.com/x", "דוגמה-abc-1", "דוגמה.com is down", "edge", ""])(
  "the name %j is shown from left to right",
  (text) => {
    expect(toDirAttribute(text)).toBe("ltr");
  },
);

test.each(["שלום עולם", "ה-API עובד", "Domains of שלום"])(
  "the text %j has the writing direction of its first letter",
  (text) => {
    expect(toDirAttribute(text)).toBe("auto");
  },
);
