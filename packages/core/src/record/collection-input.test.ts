import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecordInput, readRecordPatch, type RecordInputRules } from "./collection-input.ts";
import { domainInputRules } from "../inventory/domain-record.ts";
import { parseHostname } from "../query/hostname.ts";
import { proxyInputRules } from "../inventory/proxy-record.ts";
import { firstRecordVersion, toNextRecordVersion } from "./record-version.ts";

const proxy = { name: "edge-1", kind: "REVERSE", address: "192.0.2.1", port: 443, protocol: "HTTPS" };
const domain = {
  hostname: "a.example",
  upstreamScheme: "HTTP",
  upstreamHost: "10.0.0.1",
  upstreamPort: 80,
  tlsMode: "NONE",
};

/** Like the unit "binary" of fast-check, which builds a table of a million characters in a second and 85 MB. Surrogates are left out. */
const anyCharacter = fc.nat(0x10f7ff).map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));
/** Half of the texts are ASCII. fast-check puts names such as __proto__ among them. */
const anyText = fc.oneof(fc.string({ unit: anyCharacter }), fc.string());

const anything = fc.oneof(
  fc.jsonValue(),
  anyText,
  fc.integer(),
  fc.constantFrom(
    "NGINX",
    "ACME",
    "TLS1.3",
    "/a",
    "DE",
    "2026-01-31T08:00:00+01:00",
    "bücher.example",
    "*.a.example",
    "::1",
    true,
    false,
    null,
  ),
  fc.array(fc.string(), { maxLength: 25 }),
);

function bodies(rules: RecordInputRules<unknown>, least: object): fc.Arbitrary<Record<string, unknown>> {
  const fields = [...rules.fields, ...rules.serverFields, "unknown", "__proto__"];
  return fc
    .dictionary(fc.constantFrom(...fields), anything, { maxKeys: 6 })
    .map((changes) => ({ ...least, ...changes }));
}

describe.each([
  { name: "proxies", rules: proxyInputRules as RecordInputRules<object>, least: proxy },
  { name: "domains", rules: domainInputRules as RecordInputRules<object>, least: domain },
])("readRecordInput for the bodies of $name", ({ rules, least }) => {
  test("readRecordInput never throws, and each issue it returns has a pointer and a sentence", () => {
    fc.assert(
      fc.property(bodies(rules, least), (body) => {
        const result = readRecordInput(rules, body);
        if (result.ok) return;
        expect(result.issues.length).toBeGreaterThan(0);
        for (const { pointer, message } of result.issues) {
          expect(pointer).toMatch(/^\//);
          expect(message).toMatch(/\.$/);
        }
      }),
    );
  });

  test("writing a record back as readRecordInput returned it changes no field and no version", () => {
    fc.assert(
      fc.property(bodies(rules, least), (body) => {
        const first = readRecordInput(rules, body);
        fc.pre(first.ok);
        const again: unknown = JSON.parse(JSON.stringify(first.input));
        expect(readRecordInput(rules, again, { ...first.input })).toEqual(first);
        expect(readRecordPatch(rules, {}, { ...first.input })).toEqual(first);
        expect(toNextRecordVersion(rules, { record: first.input, version: firstRecordVersion }, first.input)).toEqual(
          firstRecordVersion,
        );
      }),
    );
  });

  test("readRecordInput refuses NUL characters and lone surrogates in every field", () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules.fields), anyText, fc.constantFrom("\0", "\ud800"), (field, text, bad) => {
        expect(readRecordInput(rules, { ...least, [field]: text + bad }).ok).toBe(false);
      }),
    );
  });
});

test.each<[string, Record<string, unknown>, object]>([
  ["no field", {}, firstRecordVersion],
  ["an observed field", { health: "UP" }, { configuration: 1, observations: 1 }],
  ["a field that is not observed", { region: "eu" }, { configuration: 2, observations: 0 }],
  ["an observed field and another one", { region: "eu", health: "UP" }, { configuration: 2, observations: 1 }],
  ["a time and a list to equal values", { lastCheckedAt: new Date(5), tags: ["a", "b"] }, firstRecordVersion],
  ["an observed time", { lastCheckedAt: new Date(6) }, { configuration: 1, observations: 1 }],
  ["the order of a list", { tags: ["b", "a"] }, { configuration: 2, observations: 0 }],
  ["the length of a list", { tags: ["a"] }, { configuration: 2, observations: 0 }],
  ["the order of an object's keys", { nested: { b: [1], a: null } }, firstRecordVersion],
  ["a value in an object", { nested: { a: null, b: [2] } }, { configuration: 2, observations: 0 }],
  ["null to null", { latencyMsP95: null, region: null }, firstRecordVersion],
])("toNextRecordVersion counts changes of observed fields separately from others: %s", (_, changes, expected) => {
  const record = {
    region: null,
    health: "DOWN",
    latencyMsP95: null,
    lastCheckedAt: new Date(5),
    tags: ["a", "b"],
    nested: { a: null, b: [1] },
  };
  expect(
    toNextRecordVersion(proxyInputRules, { record, version: firstRecordVersion }, { ...record, ...changes }),
  ).toEqual(expected);
});

describe("parseHostname", () => {
  test("parseHostname reads its own Unicode and ASCII results as the same host name", () => {
    const label = fc.string({
      unit: fc.constantFrom("a", "Z", "7", "-", "ü", "ß", "例", "א", "я", "☕", "_", "xn--"),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), fc.boolean(), (labels, wildcard) => {
        const first = parseHostname(`${wildcard ? "*." : ""}${labels.join(".")}`);
        fc.pre(first.ok);
        expect(parseHostname(first.ascii)).toEqual(first);
        expect(parseHostname(first.unicode)).toEqual(first);
        expect(first.ascii).toMatch(
          /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
        );
      }),
    );
  });

  test("parseHostname returns a result for any text and never throws", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(typeof parseHostname(text).ok).toBe("boolean");
      }),
    );
  });
});
