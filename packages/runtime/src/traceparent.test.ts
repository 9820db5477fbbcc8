import { describe, expect, it } from "vitest";
import { isUuidV7, newId } from "./id.ts";
import { formatTraceparent, newTraceparent, parseTraceparent } from "./traceparent.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";

describe("traceparent", () => {
  it("parseTraceparent reads every valid header, also of later versions", () => {
    const expected = { traceId: trace, spanId: span, sampled: true };
    expect(parseTraceparent(`00-${trace}-${span}-01`)).toEqual(expected);
    expect(parseTraceparent(`cc-${trace}-${span}-03-more`)).toEqual(expected);
    expect(parseTraceparent(`00-${trace}-${span}-00`)?.sampled).toBe(false);
  });

  it.each([
    undefined,
    "",
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace}-${span}-01\n`,
    `01-${trace}-${span}-01-${"x".repeat(1_000)}`,
  ])("parseTraceparent returns null for the invalid header %j", (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it("newTraceparent makes a span in the parent's trace, or in a new trace", () => {
    const parent = { traceId: trace, spanId: span, sampled: true };
    const child = newTraceparent(parent);
    expect(child).toMatchObject({ traceId: trace, sampled: true });
    expect(child.spanId).not.toBe(span);
    const fresh = newTraceparent();
    expect(parseTraceparent(formatTraceparent(fresh))).toEqual(fresh);
  });
});

describe("ids", () => {
  it("new IDs are lower-case UUIDv7 that sort by the time of their creation", () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.every(isUuidV7)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(1_000);
  });

  it.each(["", newId().toUpperCase(), `${newId()}\n`, "6ba7b810-9dad-41d1-80b4-00c04fd430c8", `${newId()}0`])(
    "isUuidV7 returns false for %j, which is not a lower-case UUIDv7",
    (text) => {
      expect(isUuidV7(text)).toBe(false);
    },
  );
});
