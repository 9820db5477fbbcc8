import { expect, test, vi } from "vitest";
import { getZoneOffsetSecondsLookup } from "./zone-offset-seconds-lookup.ts";

test("getZoneOffsetSecondsLookup caches a century of days, so that Intl is asked once per day", () => {
  const offsetAt = getZoneOffsetSecondsLookup("Europe/Berlin");
  const century = 36_525;
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
  offsetAt(-18_001, 0);
  // The values do not matter here, and Intl would take seconds for them. So Intl returns the same date each time.
  asked.mockReturnValue(asked.mock.results[0]!.value as Intl.DateTimeFormatPart[]);
  for (let day = 0; day < century; day++) offsetAt(day - 18_000, 0);
  expect(asked.mock.calls.length).toBeGreaterThan(century);
  asked.mockClear();
  for (let day = 0; day < century; day++) offsetAt(day - 18_000, 0);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});
