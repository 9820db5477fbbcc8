import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { appendDateSerial, appendTimeSerial } from "./date-serial.ts";

function serialText(wire: string): string | null {
  const out = new ByteBuffer(32);
  return appendDateSerial(out, Buffer.from(wire), 0, wire.length) ? out.view().toString() : null;
}

describe("Excel's serial numbers", () => {
  it.each([
    ["1900-03-01", "61"],
    ["1970-01-01", "25569"],
    ["2000-02-29", "36585"],
    ["2026-11-21", "46347"],
    ["9999-12-31", "2958465"],
    ["2026-11-21 12:00:00+01", "46347.5"],
    ["2026-11-21 00:00:00.001-03:30", "46347.00000001157"],
    ["2026-11-21 00:00:00.001999+00", "46347.00000001157"],
    ["2026-11-21 06:00:00.5+00", "46347.25000578704"],
    ["2026-11-21 23:59:59.499999+00", "46347.99999420139"],
    ["2026-11-21 23:59:59.5+00", "46347.99998842593"],
    ["2026-11-21 23:59:59.999999+00", "46347.99998842593"],
    ["9999-12-31 23:59:59.999999+00", "2958465.99998842593"],
  ])("the serial number of %s is %s", (wire, serial) => {
    expect(serialText(wire)).toBe(serial);
  });

  it.each([
    "1900-02-28",
    "0001-01-01 00:00:00+00",
    "infinity",
    "-infinity",
    "12026-01-01",
    "0044-03-15 BC",
    "2000-01-01 00:00:00+00 BC",
  ])("the date or time %s has no serial number in Excel", (wire) => {
    expect(serialText(wire)).toBeNull();
  });

  it("a serial number keeps every millisecond of a day, except in the last half second", () => {
    const wrong: string[] = [];
    for (let millisecond = 0; millisecond < 86_399_500; millisecond += 997) {
      const time = new Date(millisecond).toISOString().slice(11, 23);
      for (const fraction of ["", "999"]) {
        const back = Math.round((Number(serialText(`2026-11-21 ${time}${fraction}+00`)) - 46_347) * 86_400_000);
        if (back !== millisecond) wrong.push(`${time}${fraction}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  // LibreOffice truncates fractions of a second, so a serial number slightly below a second would show the second before.
  it("the serial number of a time of day is the double that is nearest to each second", () => {
    const wrong: string[] = [];
    for (let second = 0; second < 86_400; second++) {
      const time = new Date(second * 1000).toISOString().slice(11, 19);
      const out = new ByteBuffer(32);
      appendTimeSerial(out, Buffer.from(time), 0);
      if (Number(out.view().toString()) !== second / 86_400) wrong.push(time);
    }
    expect(wrong).toEqual([]);
  });
});
