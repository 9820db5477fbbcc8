import { expect, test } from "vitest";
import { directionOf } from "./direction.ts";

test.each(["*.דוגמה4.example.com", "https://דוגמה.example.com/x", "דוגמה-abc-1", "דוגמה.com is down", "edge", ""])(
  "the direction of the name %j is left to right",
  (text) => {
    expect(directionOf(text)).toBe("ltr");
  },
);

test.each(["שלום עולם", "ה-API עובד", "Domains of שלום"])(
  "the first letter of the text %j decides its direction",
  (text) => {
    expect(directionOf(text)).toBe("auto");
  },
);
