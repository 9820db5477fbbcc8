import { describe, expect, test } from "vitest";
import { readRecordInput, readRecordPatch } from "../record/collection-input.ts";
import { domainInputRules } from "./domain-record.ts";

const plain = {
  hostname: "www.example.org",
  upstreamScheme: "HTTP",
  upstreamHost: "10.0.0.1",
  upstreamPort: 80,
  tlsMode: "NONE",
};
const certificate = {
  certIssuer: "Let's Encrypt R11",
  certKeyType: "ECDSA-P256",
  certNotBefore: "2026-01-01T00:00:00Z",
  certNotAfter: "2026-04-01T00:00:00Z",
  certFingerprintSha256: "ab".repeat(32),
};
const secure = { ...plain, tlsMode: "ACME", ...certificate };

test("a body of a domain without TLS needs only five fields; defaults fill the others", () => {
  expect(readRecordInput(domainInputRules, plain)).toEqual({
    ok: true,
    input: {
      ...plain,
      hostnameAscii: "www.example.org",
      pathPrefix: "/",
      status: "PENDING",
      tlsMinVersion: null,
      certIssuer: null,
      certKeyType: null,
      certNotBefore: null,
      certNotAfter: null,
      certFingerprintSha256: null,
      httpsForced: false,
      hstsEnabled: false,
      http2Enabled: false,
      requests24h: null,
      bytesOut24h: null,
      errorRate5xx24h: null,
      lastCheckedAt: null,
    },
  });
});

test("a domain's host name is stored in Unicode and in ASCII (xn--)", () => {
  expect(readRecordInput(domainInputRules, { ...plain, hostname: "*.Bücher.Example." })).toMatchObject({
    ok: true,
    input: { hostname: "*.bücher.example", hostnameAscii: "*.xn--bcher-kva.example" },
  });
});

describe("certificate fields", () => {
  test.each(["ACME", "CUSTOM"])("a domain with tlsMode %s must have all certificate fields", (tlsMode) => {
    const missing = Object.keys(certificate).map((field) => ({ pointer: `/${field}`, code: "required" }));
    expect(readRecordInput(domainInputRules, { ...plain, tlsMode })).toMatchObject({ ok: false, issues: missing });
    expect(readRecordInput(domainInputRules, { ...secure, tlsMode })).toMatchObject({
      ok: true,
      input: { tlsMinVersion: "TLS1.2" },
    });
  });

  test.each(["NONE", "PASSTHROUGH"])(
    "a domain with tlsMode %s must not have a value in any certificate field",
    (tlsMode) => {
      const refused = Object.keys(certificate).map((field) => ({ pointer: `/${field}`, code: "invalid_value" }));
      expect(readRecordInput(domainInputRules, { ...secure, tlsMode })).toMatchObject({ ok: false, issues: refused });
      expect(readRecordInput(domainInputRules, { ...plain, tlsMode, certIssuer: null })).toMatchObject({ ok: true });
    },
  );

  test("a domain is refused if certNotAfter is not after certNotBefore", () => {
    const same = { ...secure, certNotAfter: certificate.certNotBefore };
    expect(readRecordInput(domainInputRules, same)).toMatchObject({
      ok: false,
      issues: [{ pointer: "/certNotAfter" }],
    });
  });

  test("a certificate fingerprint with colons and upper case is stored in normal form", () => {
    const certFingerprintSha256 = Array.from({ length: 32 }, () => "AB").join(":");
    expect(readRecordInput(domainInputRules, { ...secure, certFingerprintSha256 })).toMatchObject({
      ok: true,
      input: { certFingerprintSha256: "ab".repeat(32) },
    });
  });
});

test("a domain with hstsEnabled is refused unless httpsForced is true", () => {
  expect(readRecordInput(domainInputRules, { ...secure, hstsEnabled: true })).toMatchObject({
    ok: false,
    issues: [{ pointer: "/hstsEnabled" }],
  });
  expect(readRecordInput(domainInputRules, { ...secure, hstsEnabled: true, httpsForced: true }).ok).toBe(true);
});

test("one refusal of a domain lists invalid fields and broken rules across fields", () => {
  const result = readRecordInput(domainInputRules, { ...plain, tlsMode: "ACME", upstreamPort: 0, hstsEnabled: true });
  expect(result).toMatchObject({
    ok: false,
    issues: expect.arrayContaining([
      expect.objectContaining({ pointer: "/upstreamPort" }),
      expect.objectContaining({ pointer: "/certIssuer" }),
      expect.objectContaining({ pointer: "/hstsEnabled" }),
    ]),
  });
});

test.each([
  ["hostname", "under_score.org"],
  ["hostname", "999.1.1.1"],
  ["hostname", "192.0.2.1"],
  ["hostname", "localhost"],
  ["hostname", 7],
  ["upstreamHost", "1.2.3"],
  ["upstreamScheme", "FTP"],
  ["pathPrefix", "no-slash"],
  ["pathPrefix", "/a b"],
  ["pathPrefix", "/ü"],
  ["pathPrefix", "/%zz"],
  ["pathPrefix", "/a\n"],
  ["pathPrefix", `/${"a".repeat(255)}`],
  ["tlsMinVersion", "SSL3"],
  ["requests24h", -1],
  ["requests24h", 2 ** 53],
  ["bytesOut24h", 0.5],
  ["errorRate5xx24h", 1.01],
  ["httpsForced", "true"],
])("a domain whose %s is %j is refused, and the message says what is allowed", (field, value) => {
  const result = readRecordInput(domainInputRules, { ...plain, [field]: value });
  expect(result).toMatchObject({
    ok: false,
    issues: [{ pointer: `/${field}`, message: expect.stringMatching(/ must be .+\.$/) }],
  });
});

test("a domain's error rate with over six decimal places is refused, not rounded", () => {
  for (const errorRate5xx24h of [0, 0.000001, 0.016667, 0.25, 1])
    expect(readRecordInput(domainInputRules, { ...plain, errorRate5xx24h })).toMatchObject({
      ok: true,
      input: { errorRate5xx24h },
    });
  for (const errorRate5xx24h of [5 / 300, 0.0000001, 0.1234567, 1.0000001])
    expect(readRecordInput(domainInputRules, { ...plain, errorRate5xx24h })).toMatchObject({
      ok: false,
      issues: [{ pointer: "/errorRate5xx24h" }],
    });
});

test("a patch of hostname also changes hostnameAscii, which cannot be patched itself", () => {
  const first = readRecordInput(domainInputRules, secure);
  if (!first.ok) throw new Error("The record itself is refused.");
  const stored = { ...first.input, id: "1", proxyId: "2", createdAt: new Date(0), updatedAt: new Date(0) };
  expect(readRecordPatch(domainInputRules, { hostname: "ü.example" }, stored)).toEqual({
    ok: true,
    input: { ...first.input, hostname: "ü.example", hostnameAscii: "xn--tda.example" },
  });
  expect(readRecordPatch(domainInputRules, { hostnameAscii: "b.example" }, stored)).toMatchObject({
    ok: false,
    issues: [{ pointer: "/hostnameAscii" }],
  });
});

test("the body of a new domain may contain proxyId only if it equals the path's", () => {
  expect(readRecordInput(domainInputRules, { ...plain, proxyId: "p" }, { proxyId: "p" }).ok).toBe(true);
  expect(readRecordInput(domainInputRules, { ...plain, proxyId: "q" }, { proxyId: "p" })).toMatchObject({
    ok: false,
    issues: [{ code: "read_only" }],
  });
});
