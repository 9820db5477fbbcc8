import { describe, expect, test } from "vitest";
import { computeExpectedDaysLeft, computeExpectedIssues, computeExpectedSeverity } from "./domain-health.ts";

const day = 86_400_000;
const asOf = new Date("2026-06-01T00:00:00Z");

function severityAt(lifetimeDays: number, remainingMs: number) {
  const end = asOf.getTime() + remainingMs;
  return computeExpectedSeverity(new Date(end - lifetimeDays * day), new Date(end), asOf);
}

describe("severityOf", () => {
  test.each([
    // For a certificate with a lifetime of a year, the thresholds of CRITICAL and WARN are their maximums: 3 and 14 days.
    [365, -1, "EXPIRED"],
    [365, 0, "CRITICAL"],
    [365, 3 * day - 1, "CRITICAL"],
    [365, 3 * day, "WARN"],
    [365, 14 * day - 1, "WARN"],
    [365, 14 * day, "OK"],
    // For a lifetime of 24 days, the thresholds are 2.4 and 8 days.
    [24, 2.4 * day - 1, "CRITICAL"],
    [24, 2.4 * day, "WARN"],
    [24, 8 * day - 1, "WARN"],
    [24, 8 * day, "OK"],
    // For a lifetime of 6 days, the thresholds are their minimums of 1 and 7 days.
    [6, day - 1, "CRITICAL"],
    [6, day, "WARN"],
    [6, 6 * day, "WARN"],
  ])(
    "severityOf a certificate with a lifetime of %d days and %d ms left is %s",
    (lifetimeDays, remainingMs, severity) => {
      expect(severityAt(lifetimeDays, remainingMs)).toBe(severity);
    },
  );

  test("severityOf returns null for a domain without a certificate", () => {
    expect(computeExpectedSeverity(null, null, asOf)).toBeNull();
  });
});

test("the remaining days of a certificate are rounded down", () => {
  expect(
    [1.5 * day, day, 1, 0, -1, -day].map((ms) => computeExpectedDaysLeft(new Date(asOf.getTime() + ms), asOf)),
  ).toEqual([1, 1, 0, 0, -1, -1]);
  expect(computeExpectedDaysLeft(null, asOf)).toBeNull();
});

describe("issuesOf", () => {
  const fine = {
    certNotBefore: new Date(asOf.getTime() - 10 * day),
    certNotAfter: new Date(asOf.getTime() + 80 * day),
    tlsMode: "ACME",
    tlsMinVersion: "TLS1.2",
    hstsEnabled: true,
  } as const;
  const up = { adminState: "ENABLED", health: "UP" } as const;

  test("issuesOf returns no issues for a healthy domain", () => {
    expect(computeExpectedIssues(fine, up, asOf)).toEqual([]);
  });

  test.each([
    [{ certNotAfter: new Date(asOf.getTime() - 1) }, {}, ["CERT_EXPIRED"]],
    [{ certNotAfter: new Date(asOf.getTime() + day) }, {}, ["CERT_EXPIRING"]],
    [{ tlsMinVersion: "TLS1.1" }, {}, ["TLS_TOO_OLD"]],
    [{ hstsEnabled: false }, {}, ["HSTS_MISSING"]],
    [
      { tlsMode: "NONE", certNotBefore: null, certNotAfter: null, tlsMinVersion: "TLS1.0", hstsEnabled: false },
      {},
      ["PLAINTEXT_ONLY"],
    ],
    [
      { tlsMode: "PASSTHROUGH", certNotBefore: null, certNotAfter: null, tlsMinVersion: null, hstsEnabled: false },
      {},
      [],
    ],
    [{}, { adminState: "DISABLED", health: "DOWN" }, ["PROXY_DISABLED", "PROXY_DOWN"]],
    [{}, { adminState: "MAINTENANCE", health: "DEGRADED" }, []],
  ] as const)(
    "issuesOf returns, for a domain with %j behind a proxy with %j, the issues %j",
    (change, proxy, issues) => {
      expect(computeExpectedIssues({ ...fine, ...change }, { ...up, ...proxy }, asOf)).toEqual(issues);
    },
  );
});
