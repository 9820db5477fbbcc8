import { domainInputRules, proxyInputRules, type Proxy } from "@reports/core/inventory";
import { readRecordInput } from "@reports/core/record";
import { describe, expect, test } from "vitest";
import { computeExpectedIssues, computeExpectedSeverity } from "../oracles/domain-health.ts";
import { generateDemoInventory } from "./demo-inventory.ts";

const asOf = new Date("2026-11-01T12:00:00Z");
const demo = { seed: 7, proxies: 60, domains: 2500, asOf };

function refusals(records: Iterable<object>, rules: typeof proxyInputRules | typeof domainInputRules): unknown[] {
  return [...records].flatMap((record) => {
    const body: unknown = JSON.parse(JSON.stringify(record));
    const result = readRecordInput<unknown>(rules, body, { ...record });
    return result.ok ? [] : [{ record, issues: result.issues }];
  });
}

describe("generateDemoInventory", () => {
  test("generateDemoInventory generates only records that the API accepts", () => {
    const { proxies, domains } = generateDemoInventory(demo);
    expect(refusals(proxies, proxyInputRules)).toEqual([]);
    expect(refusals(domains, domainInputRules)).toEqual([]);
  });

  test("generateDemoInventory repeats the records of a seed, and varies them by seed", () => {
    const first = [...generateDemoInventory(demo).domains];
    expect([...generateDemoInventory(demo).domains]).toEqual(first);
    expect([...generateDemoInventory({ ...demo, seed: 8 }).domains]).not.toEqual(first);
  });

  test("generateDemoInventory generates exactly the requested number of records", () => {
    const { proxies, domains } = generateDemoInventory({ seed: 1, proxies: 1, domains: 3, asOf });
    expect([...proxies]).toHaveLength(1);
    expect([...domains]).toHaveLength(3);
    expect([...generateDemoInventory({ domains: 0 }).domains]).toEqual([]);
  });

  test("demo records have unique IDs, names and addresses; each domain has a proxy", () => {
    const { proxies, domains } = generateDemoInventory({ seed: 3, proxies: 3000, domains: 30_000, asOf });
    const all = [...proxies];
    const ids = new Set(all.map((proxy) => proxy.id));
    expect(ids.size).toBe(all.length);
    expect(new Set(all.map((proxy) => proxy.name)).size).toBe(all.length);
    expect(new Set(all.map((proxy) => `${proxy.address} ${proxy.port}`)).size).toBe(all.length);
    const seen = new Set<string>();
    const domainIds = new Set<string>();
    const unknownProxyIds = new Set<string>();
    for (const domain of domains) {
      if (!ids.has(domain.proxyId)) unknownProxyIds.add(domain.proxyId);
      seen.add(`${domain.proxyId} ${domain.hostnameAscii} ${domain.pathPrefix}`);
      domainIds.add(domain.id);
    }
    expect([...unknownProxyIds]).toEqual([]);
    expect(seen.size).toBe(30_000);
    expect(domainIds.size).toBe(30_000);
  });

  test("the demo inventory has every severity and issue, shared hosts and Unicode names", () => {
    const inventory = generateDemoInventory(demo);
    const proxies = new Map<string, Proxy>([...inventory.proxies].map((proxy) => [proxy.id, proxy]));
    const domains = [...inventory.domains];
    const severities = new Set(
      domains.map((domain) => computeExpectedSeverity(domain.certNotBefore, domain.certNotAfter, asOf)),
    );
    expect(severities).toEqual(new Set(["EXPIRED", "CRITICAL", "WARN", "OK", null]));
    const issues = new Set(
      domains.flatMap((domain) => computeExpectedIssues(domain, proxies.get(domain.proxyId)!, asOf)),
    );
    expect(issues.size).toBe(7);
    const hosts = Map.groupBy(domains, (domain) => domain.hostnameAscii + domain.pathPrefix);
    expect([...hosts.values()].some((group) => new Set(group.map((domain) => domain.proxyId)).size > 1)).toBe(true);
    expect(domains.filter((domain) => domain.hostname !== domain.hostnameAscii).length).toBeGreaterThan(100);
    expect(domains.some((domain) => domain.hostname.startsWith("*."))).toBe(true);
  });

  test("the remaining days of demo certificates stay the same for 11 hours", () => {
    const ends = [...generateDemoInventory(demo).domains].flatMap(({ certNotAfter }) => certNotAfter ?? []);
    const dayHours = 24;
    const hours = ends.map(
      (end) => ((((end.getTime() - asOf.getTime()) / 3_600_000) % dayHours) + dayHours) % dayHours,
    );
    expect(hours.length).toBeGreaterThan(1_000);
    expect(hours.filter((hour) => hour < 11 || hour > 13)).toEqual([]);
  });

  test.each([
    ["a formula", /^=/],
    ["a plus", /^\+/],
    ["a minus", /^-/],
    ["an at sign", /^@/],
    ["quotes", /"/],
    ["line breaks", /\n/],
    ["emoji", /\p{Extended_Pictographic}/u],
    ["right-to-left script", /\p{Script=Hebrew}|\p{Script=Arabic}/u],
    ["a long text", /.{1000}/],
  ])("the demo inventory has a description or team name with %s", (_, pattern) => {
    const texts = [...generateDemoInventory(demo).proxies].flatMap((proxy) => [
      proxy.description,
      proxy.ownerTeam ?? "",
    ]);
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});
