import { expect, test } from "vitest";
import { directionOf } from "./direction.ts";

test.each(["*.דוגמה4.example.com", "https://דוגמה.example.com/x", "דוגמה-abc-1", "דוגמה.com is down", "edge", ""])(
  "the name %j is laid out from left to right",
  (text) => {
    expect(directionOf(text)).toBe("ltr");
  },
);

test.each(["שלום עולם", "ה-API עובד", "Domains of שלום"])("the first letter of the prose %j decides", (text) => {
  expect(directionOf(text)).toBe("auto");
});
