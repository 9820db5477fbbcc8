import { expect, test } from "vitest";
import { readRecordInput, readRecordPatch } from "../record/collection-input.ts";
import { proxyInputRules } from "./proxy-record.ts";

const least = { name: "edge-1", kind: "REVERSE", address: "192.0.2.1", port: 443, protocol: "HTTPS" };

test("a body of a proxy needs only five fields; defaults fill the others", () => {
  expect(readRecordInput(proxyInputRules, least)).toEqual({
    ok: true,
    input: {
      ...least,
      description: "",
      ownerTeam: null,
      contactEmail: null,
      tags: [],
      software: "OTHER",
      softwareVersion: null,
      region: null,
      countryCode: null,
      environment: "PROD",
      adminState: "ENABLED",
      health: "UNKNOWN",
      lastCheckedAt: null,
      latencyMsP95: null,
      maxConnections: null,
    },
  });
});

test("one refusal of a proxy lists every missing field with its JSON pointer", () => {
  const result = readRecordInput(proxyInputRules, {});
  const pointers = ["/name", "/kind", "/address", "/port", "/protocol"];
  expect(result).toMatchObject({ ok: false, issues: pointers.map((pointer) => ({ pointer, code: "required" })) });
});

test.each([
  ["name", ""],
  ["name", "Edge"],
  ["name", "a_b"],
  ["name", "a".repeat(64)],
  ["name", "edge-1\n"],
  ["name", null],
  ["kind", "reverse"],
  ["address", "999.1.1.1"],
  ["address", "a_b.example"],
  ["address", "[::1]"],
  ["address", "http://a.example"],
  ["address", "*.a.example"],
  ["port", 0],
  ["port", 65_536],
  ["port", 1.5],
  ["port", "443"],
  ["port", 1e300],
  ["description", "a\u0000b"],
  ["description", "x".repeat(2001)],
  ["description", "\ud800"],
  ["description", null],
  ["ownerTeam", ""],
  ["ownerTeam", "two\nlines"],
  ["contactEmail", "nobody"],
  ["tags", "a"],
  ["tags", ["a", "a"]],
  ["tags", Array.from({ length: 21 }, (_, index) => `tag-${index}`)],
  ["tags", [""]],
  ["countryCode", "de"],
  ["countryCode", "ZZ"],
  ["countryCode", "UK"],
  ["lastCheckedAt", "2026-02-30T00:00:00Z"],
  ["lastCheckedAt", "2026-01-01"],
  ["lastCheckedAt", "0001-01-01T00:00:00Z"],
  ["latencyMsP95", -1],
  ["latencyMsP95", 2_147_483_648],
  ["maxConnections", 0],
])("a proxy whose %s is %j is refused, and the message says what is allowed", (field, value) => {
  const result = readRecordInput(proxyInputRules, { ...least, [field]: value });
  const pointer = expect.stringMatching(new RegExp(`^/${field}(/0)?$`));
  const message = expect.stringMatching(new RegExp(`^${field}(\\[0\\])? must be .+\\.$`));
  expect(result).toEqual({ ok: false, issues: [{ pointer, code: expect.any(String), message }] });
});

test.each([
  ["description", "first line\nsecond\t=1+1 \u{1f680} \u05e9\u05dc\u05d5\u05dd"],
  ["description", "\u{1f680}".repeat(2000)],
  ["address", "proxy"],
  ["tags", ["pci", "edge"]],
  ["countryCode", "DE"],
  ["contactEmail", "noc@example.org"],
])("a proxy whose %s is %j is accepted and keeps that value", (field, value) => {
  expect(readRecordInput(proxyInputRules, { ...least, [field]: value })).toMatchObject({
    ok: true,
    input: { [field]: value },
  });
});

test("a proxy's addresses and times are stored in a normal form", () => {
  const given = { ...least, address: "2001:DB8:0::1", lastCheckedAt: "2026-01-31T09:00:00+01:00" };
  expect(readRecordInput(proxyInputRules, given)).toMatchObject({
    ok: true,
    input: { address: "2001:db8::1", lastCheckedAt: new Date("2026-01-31T08:00:00Z") },
  });
});

test("an unknown field of a proxy is refused, and the message suggests a similar name", () => {
  expect(readRecordInput(proxyInputRules, { ...least, sofware: "NGINX" })).toMatchObject({
    ok: false,
    issues: [
      { pointer: "/sofware", code: "unknown_field", message: expect.stringContaining("Did you mean software?") },
    ],
  });
});

test("a field named __proto__ in a proxy's body is refused as an unknown field", () => {
  const body: unknown = JSON.parse(`{"__proto__": {"name": "x"}, ${JSON.stringify(least).slice(1)}`);
  expect(readRecordInput(proxyInputRules, body)).toMatchObject({ ok: false, issues: [{ pointer: "/__proto__" }] });
});

test.each([null, [], "text", 1])("the body %j of a proxy is refused, because it is not an object", (body) => {
  expect(readRecordInput(proxyInputRules, body)).toMatchObject({ ok: false, issues: [{ pointer: "" }] });
});

const created = new Date("2026-01-01T00:00:00.000Z");
const stored = {
  ...least,
  id: "018f",
  createdAt: created,
  updatedAt: created,
  description: "was here",
  ownerTeam: "net",
  contactEmail: null,
  tags: ["a"],
  software: "NGINX",
  softwareVersion: null,
  region: "eu",
  countryCode: null,
  environment: "DEV",
  adminState: "ENABLED",
  health: "UP",
  lastCheckedAt: created,
  latencyMsP95: 7,
  maxConnections: null,
};

test("a proxy can be written back exactly as it was read", () => {
  const { id: _, createdAt: _created, updatedAt: _updated, ...input } = stored;
  expect(readRecordInput(proxyInputRules, JSON.parse(JSON.stringify(stored)), stored)).toEqual({ ok: true, input });
});

test("a proxy's body cannot change the fields that only the server sets", () => {
  const body = { ...least, id: "other", createdAt: "2027-01-01T00:00:00Z" };
  expect(readRecordInput(proxyInputRules, body, stored)).toMatchObject({
    ok: false,
    issues: [
      { pointer: "/id", code: "read_only" },
      { pointer: "/createdAt", code: "read_only" },
    ],
  });
  expect(readRecordInput(proxyInputRules, body)).toMatchObject({
    ok: false,
    issues: [{ pointer: "/id" }, { pointer: "/createdAt" }],
  });
});

test("replacing a proxy (PUT) resets omitted optional fields to their defaults", () => {
  expect(readRecordInput(proxyInputRules, least, stored)).toMatchObject({
    ok: true,
    input: { description: "", ownerTeam: null, tags: [], software: "OTHER", environment: "PROD" },
  });
});

test("a patch of a proxy changes only the fields it names; null resets a field", () => {
  const { id: _, createdAt: _created, updatedAt: _updated, ...input } = stored;
  expect(
    readRecordPatch(proxyInputRules, { port: 8443, ownerTeam: null, software: null, tags: ["b"] }, stored),
  ).toEqual({
    ok: true,
    input: { ...input, port: 8443, ownerTeam: null, software: "OTHER", tags: ["b"] },
  });
});

test("a patch of a proxy refuses null for required, server-set and unknown fields", () => {
  const result = readRecordPatch(proxyInputRules, { name: null, id: null, nothing: null }, stored);
  expect(result).toMatchObject({
    ok: false,
    issues: [{ pointer: "/id" }, { pointer: "/name" }, { pointer: "/nothing" }],
  });
});
