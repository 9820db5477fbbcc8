import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assertJsonItemLimit } from "./assert-json-item-limit.ts";

const codeOf = (text: string): string | null => {
  try {
    assertJsonItemLimit(Buffer.from(text));
    return null;
  } catch (error) {
    return (error as { issues: readonly { code: string }[] }).issues[0]!.code;
  }
};

function countIn(value: unknown): { readonly keys: number; readonly listed: number } {
  if (typeof value !== "object" || value === null) return { keys: 0, listed: 0 };
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const own = Array.isArray(value) ? { keys: 0, listed: inner.length } : { keys: inner.length, listed: 0 };
  return inner.map(countIn).reduce((sum, one) => ({ keys: sum.keys + one.keys, listed: sum.listed + one.listed }), own);
}

const fieldCounts = fc.integer({ min: 0, max: 230 });
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(1, null, true, "", '"', "\\", '\\"', "a:b,[{", "ü\u2028"),
    fc.array(tie("value"), { maxLength: 8 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie("value"), { maxKeys: 8 }),
  ),
}));

test("assertJsonItemLimit counts the same fields and values as a JSON parser", () => {
  const seen = new Set<string | null>();
  fc.assert(
    fc.property(
      values.value,
      fieldCounts,
      fc.integer({ min: 0, max: 2_300 }),
      fc.boolean(),
      (inner, fields, many, isWide) => {
        const body = {
          inner,
          fields: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`k${index}`, index])),
          list: Array.from({ length: many }, () => "],:"),
        };
        const { keys, listed } = countIn(body);
        const expected = [...(keys > 200 ? ["too_many_fields"] : []), ...(listed > 2_000 ? ["too_many_values"] : [])];
        const code = codeOf(JSON.stringify(body, null, isWide ? 2 : 0));
        seen.add(code);
        expect(expected.length === 0 ? [null] : expected).toContain(code);
      },
    ),
    { numRuns: 300 },
  );
  expect(seen).toEqual(new Set([null, "too_many_fields", "too_many_values"]));
});

test("assertJsonItemLimit also counts fields after a value nested too deeply", () => {
  const fields = Array.from({ length: 201 }, (_, index) => `"k${index}":0`).join(",");
  for (const depth of [32, 33, 34, 40, 1_000]) {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    expect(codeOf(`{"deep":${deep},${fields}}`)).toBe("too_many_fields");
    expect(codeOf(`[${deep}${",0".repeat(2_000)}]`)).toBe("too_many_values");
  }
  expect(codeOf("[".repeat(100_000))).toBe("too_many_values");
});

test.each(["", "]", "}}}", '"', '"\\', '{"a', "{".repeat(100_000), "\\".repeat(100_000), `"${"\\".repeat(100_000)}`])(
  "assertJsonItemLimit accepts invalid JSON, because the parser refuses it later",
  (text) => expect(codeOf(text)).toBeNull(),
);

test("assertJsonItemLimit stops reading when a limit is exceeded", () => {
  let bytesRead = 0;
  const bytes = new Proxy(Buffer.from(`{${'"a":1,'.repeat(40_000)}"a":1}`), {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) bytesRead += 1;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  expect(() => assertJsonItemLimit(bytes)).toThrow(/200 fields/);
  expect(bytesRead).toBeLessThan(3_000);
});
