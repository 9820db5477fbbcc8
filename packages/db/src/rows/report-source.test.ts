import { builtInReportTypes, type ReportTypeDefinition, type RowRequest } from "@reports/core/report";
import {
  domainFieldDefaults,
  domainIssues,
  proxiesCollection,
  proxyFieldDefaults,
  type Domain,
  type Proxy,
} from "@reports/core/inventory";
import { PermanentReportError, StoreUnavailableError } from "@reports/core/base";
import type { Filter, SearchParam } from "@reports/core/query";
import {
  createTestCaseDivider,
  createTestDatabases,
  createFaultProxy,
  computeExpectedIssues,
  computeExpectedSeverity,
  waitFor,
} from "@reports/testing";
import { text as readText } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { copyIntoInventory } from "../inventory/copy-into-inventory.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { hostileTexts } from "./hostile-texts.fixture.ts";
import { createRowSourceReader } from "./report-source.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const definitionOf = (type: string): ReportTypeDefinition => builtInReportTypes.find((known) => known.type === type)!;
const proxyType = definitionOf("PROXY");
const searchedType = { ...proxyType, filters: proxiesCollection.filters };
const domainType = definitionOf("PROXY_DOMAIN");
const day = 86_400_000;

const idOf = (kind: number, index: number): string =>
  `018f0000-000${kind}-7000-8000-${String(index).padStart(12, "0")}`;

function proxy(index: number, changes: Partial<Proxy> = {}): Proxy {
  const now = new Date();
  return {
    ...proxyFieldDefaults,
    id: idOf(1, index),
    name: `p-${index}`,
    kind: "REVERSE",
    software: "NGINX",
    address: `10.0.0.${index}`,
    port: 443,
    protocol: "HTTPS",
    health: "UP",
    createdAt: now,
    updatedAt: now,
    ...changes,
  };
}

function domain(index: number, changes: Partial<Domain> = {}): Domain {
  const now = new Date();
  return {
    ...domainFieldDefaults,
    id: idOf(2, index),
    proxyId: idOf(1, 1),
    hostname: `d${index}.example.org`,
    hostnameAscii: `d${index}.example.org`,
    status: "ACTIVE",
    upstreamScheme: "HTTPS",
    upstreamHost: "up.internal",
    upstreamPort: 8443,
    tlsMode: "NONE",
    createdAt: now,
    updatedAt: now,
    ...changes,
  };
}

const certified = (certNotBefore: Date, certNotAfter: Date): Partial<Domain> => ({
  tlsMode: "ACME",
  tlsMinVersion: "TLS1.2",
  certIssuer: "CA",
  certKeyType: "ED25519",
  certNotBefore,
  certNotAfter,
  certFingerprintSha256: "a".repeat(64),
  httpsForced: true,
  hstsEnabled: true,
});

async function openInventory(proxies: readonly Proxy[], domains: readonly Domain[], reuseMs = 0) {
  const clone = await cloneDatabase();
  await copyIntoInventory({ databaseUrl: clone.url, proxies, domains });
  return { ...clone, source: createRowSourceReader({ url: clone.url, reuseMs }) };
}

function request(
  definition: ReportTypeDefinition,
  changes: Partial<RowRequest> & { keys?: readonly string[] } = {},
): RowRequest {
  const { keys, ...rest } = changes;
  return {
    definition,
    columns:
      keys === undefined
        ? definition.columns
        : keys.map((key) => definition.columns.find((known) => known.key === key)!),
    searchParam: {},
    sort: definition.defaultSort,
    timezone: "UTC",
    statementTimeoutMs: 60_000,
    signal: new AbortController().signal,
    ...rest,
  };
}

type Inventory = Awaited<ReturnType<typeof openInventory>>;

async function countConnections({ url }: Inventory) {
  const { hostname, port } = new URL(url);
  const proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  const source = createRowSourceReader({ url: proxied.href });
  return { proxy, source, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

async function readBody({ source }: Pick<Inventory, "source">, wanted: RowRequest): Promise<string> {
  return readText((await source.open(wanted)).bytes);
}

async function readRows(inventory: Pick<Inventory, "source">, wanted: RowRequest): Promise<string[]> {
  return (await readBody(inventory, wanted)).split("\n").slice(0, -1);
}

async function countBackends(url: string): Promise<number> {
  const client = postgres(url, { max: 1 });
  const [row] = await client`
    select count(*)::int as backends from pg_stat_activity where datname = current_database() and application_name = 'reports-rows' and backend_type = 'client backend'`;
  await client.end();
  return row!["backends"] as number;
}

test("a report's bytes are csv with empty nulls, quotes, UTC times and array literals", async () => {
  await using inventory = await openInventory(
    [proxy(1, { tags: ['a "b\\', "c,d", "NULL", "ü\n"], lastCheckedAt: new Date("2026-07-01T10:00:00.120Z") })],
    [domain(1, { requests24h: 9_007_199_254_740_991, errorRate5xx24h: 0.000001 })],
  );
  const keys = ["name", "softwareVersion", "lastCheckedAt", "tags", "domainCount", "requests24h", "errorRate5xx24h"];
  expect(await readBody(inventory, request(proxyType, { keys, timezone: "Asia/Kolkata" }))).toBe(
    'p-1,,2026-07-01 10:00:00.12+00,"{""a \\""b\\\\"",""c,d"",""NULL"",""ü\n""}",1,9007199254740991,0.000001\n',
  );
});

test("a report reads only the requested columns of its relation", async () => {
  await using inventory = await openInventory([proxy(1)], [domain(1)]);
  const client = postgres(inventory.url, { max: 1 });
  await client`alter table proxies add root_cause text not null default 'secret'`;
  await client`alter table domains add root_cause text not null default 'secret'`;
  await client.end();
  for (const definition of [proxyType, domainType]) {
    expect(await readBody(inventory, request(definition))).not.toContain("secret");
    const [key] = definition.columns.map((column) => column.key);
    const [row] = await readRows(inventory, request(definition, { keys: [key!] }));
    expect(row).not.toContain(",");
  }
});

test("a proxy's row contains counts, sums and weighted rates of its domains", async () => {
  const soon = new Date(Date.now() + 5.5 * day);
  await using inventory = await openInventory(
    [proxy(1), proxy(2)],
    [
      domain(1, {
        ...certified(new Date(Date.now() - day), soon),
        requests24h: 300,
        bytesOut24h: 7,
        errorRate5xx24h: 0.5,
      }),
      domain(2, { requests24h: 100, errorRate5xx24h: 0.1 }),
      domain(3, { requests24h: 5 }),
    ],
  );
  const keys = ["name", "domainCount", "daysLeft", "requests24h", "bytesOut24h", "errorRate5xx24h"];
  expect(await readRows(inventory, request(proxyType, { keys }))).toEqual(["p-1,3,5,405,7,0.400000", "p-2,0,,,,"]);
  // A sort by a column of the join includes the join, even if no shown column needs it.
  const sort = [{ key: "domainCount", descending: true }];
  expect(await readRows(inventory, request(proxyType, { keys: ["name"], sort }))).toEqual(["p-1", "p-2"]);
});

test("fixed conditions of a type apply to rows, count, figures and attention list", async () => {
  await using inventory = await openInventory(
    [proxy(1, { tags: ["a"] }), proxy(2, { tags: ["a", "b"] }), proxy(3), proxy(4, { tags: ["a"], health: "DOWN" })],
    [1, 2, 3].map((index) => domain(index, { proxyId: idOf(1, index) })),
  );
  const where = [
    { column: "domainCount", atLeast: 1 },
    { column: "tags", in: ["a"] },
  ];
  const fixed: ReportTypeDefinition = { ...proxyType, where };
  const rows = await inventory.source.open(request(fixed, { keys: ["name"], searchParam: { health: ["UP", "DOWN"] } }));
  expect([rows.rowsTotal, await readText(rows.bytes)]).toEqual([2, "p-1\np-2\n"]);
  expect(rows.summary.figures[0]!.value).toBe("2");
  expect(rows.summary.attention!.total).toBe(0);
});

test("by default, proxies sort by worst health and domains by their certificate's end", async () => {
  const healths = ["UP", "UNKNOWN", "DOWN", "DEGRADED"] as const;
  await using inventory = await openInventory(
    healths.map((health, index) => proxy(index + 1, { health })),
    [
      domain(1),
      ...[30, 10, 20].map((days, index) =>
        domain(index + 2, certified(new Date(0), new Date(Date.now() + days * day))),
      ),
    ],
  );
  expect(await readRows(inventory, request(proxyType, { keys: ["health"] }))).toEqual([
    "DOWN",
    "DEGRADED",
    "UNKNOWN",
    "UP",
  ]);
  expect(await readRows(inventory, request(domainType, { keys: ["daysLeft"] }))).toEqual(["9", "19", "29", ""]);
});

test("a report sorts nulls last in both directions and breaks ties by ID", async () => {
  const certificate = (days: number): Partial<Domain> => certified(new Date(0), new Date(Date.now() + days * day));
  await using inventory = await openInventory(
    [proxy(1), proxy(2, { region: "b" }), proxy(3, { region: "a" }), proxy(4)],
    [
      domain(1),
      domain(2, certificate(20.5)),
      domain(3, certificate(10.5)),
      domain(4),
      domain(5, { proxyId: idOf(1, 2) }),
    ],
  );
  const read = async (definition: ReportTypeDefinition, keys: readonly string[], sort: RowRequest["sort"]) =>
    readRows(inventory, request(definition, { keys, sort }));
  for (const [key, descending, expected] of [
    ["region", false, ["p-3", "p-2", "p-1", "p-4"]],
    ["region", true, ["p-2", "p-3", "p-4", "p-1"]],
    ["nextCertNotAfter", true, ["p-1", "p-4", "p-3", "p-2"]],
    ["daysLeft", true, ["p-1", "p-4", "p-3", "p-2"]],
  ] as const)
    expect([key, await read(proxyType, ["name"], [{ key, descending }])]).toEqual([key, expected]);
  for (const [key, descending, expected] of [
    ["certNotAfter", false, [3, 2, 1, 4, 5]],
    ["certNotAfter", true, [2, 3, 5, 4, 1]],
    ["severity", true, [2, 3, 5, 4, 1]],
    ["proxyRegion", true, [5, 4, 3, 2, 1]],
  ] as const)
    expect([key, descending, await read(domainType, ["hostname"], [{ key, descending }])]).toEqual([
      key,
      descending,
      expected.map((index) => `d${index}.example.org`),
    ]);
});

test("severity and issues of domains equal a reference at every threshold", async () => {
  const asOf = Date.now();
  const domains: Domain[] = [];
  for (const lifetimeDays of [0.5, 2, 6, 7, 20, 45, 90, 398]) {
    for (const leftDays of [
      -30, -1, -0.0001, 0.5, 0.99, 1.01, 1.99, 2.01, 2.99, 3.01, 6.5, 6.99, 7.01, 13.9, 14.1, 15.1, 29.9, 30.1, 100,
    ]) {
      const notAfter = asOf + leftDays * day;
      domains.push(domain(domains.length + 1, certified(new Date(notAfter - lifetimeDays * day), new Date(notAfter))));
    }
  }
  for (const tlsMode of ["NONE", "PASSTHROUGH"] as const) {
    for (const tlsMinVersion of ["TLS1.0", "TLS1.1", "TLS1.2", null] as const) {
      domains.push(domain(domains.length + 1, { tlsMode, tlsMinVersion, proxyId: idOf(1, (domains.length % 3) + 1) }));
    }
  }
  domains.push(
    domain(domains.length + 1, {
      ...certified(new Date(asOf - day), new Date(asOf + 300 * day)),
      hstsEnabled: false,
      tlsMinVersion: "TLS1.1",
    }),
  );
  const proxies = [proxy(1), proxy(2, { adminState: "DISABLED" }), proxy(3, { health: "DOWN" })];
  await using inventory = await openInventory(proxies, domains);
  const columns = ["hostname", "severity", "issues"].map((key) =>
    domainType.columns.find((column) => column.key === key)!,
  );
  const asked = [...domainIssues.map((issue) => [issue]), [...domainIssues], ["CERT_EXPIRING", "PROXY_DOWN"], ["NONE"]];
  const counts = asked.map((issues) => ({ kind: "count", where: { column: "issues", in: issues } }) as const);
  const definition: ReportTypeDefinition = {
    ...domainType,
    summary: {
      figures: counts.map((aggregate, index) => ({ key: `n${index}`, title: "", kind: "integer", aggregate })),
      charts: counts.map((measure, index) => ({
        key: `c${index}`,
        title: "",
        categories: { column: "proxyEnvironment", top: 1 },
        measure,
      })),
      attention: {
        title: "",
        where: { column: "issues", in: ["CERT_EXPIRING", "PROXY_DOWN"] },
        columns: ["hostname"],
        sort: [{ key: "hostname", descending: false }],
        limit: 1_000,
      },
    },
  };
  const rows = await inventory.source.open(request(definition, { columns }));
  const found = (await readText(rows.bytes)).split("\n").slice(0, -1).toSorted();
  const issuesNow = (one: Domain) =>
    computeExpectedIssues(
      one,
      proxies.find(({ id }) => id === one.proxyId)!,
      rows.dataAsOf,
    );
  const expected = domains.map((one) => {
    const issues = issuesNow(one);
    const cell = issues.length > 1 ? `"{${issues.join(",")}}"` : `{${issues.join(",")}}`;
    return `${one.hostname},${computeExpectedSeverity(one.certNotBefore, one.certNotAfter, rows.dataAsOf) ?? ""},${cell}`;
  });
  expect(found).toEqual(expected.toSorted());
  const expectedCounts = asked.map(
    (some) => domains.filter((one) => issuesNow(one).some((issue) => some.includes(issue))).length,
  );
  expect(rows.summary.figures.map(({ value }) => Number(value))).toEqual(expectedCounts);
  expect(rows.summary.charts.map(({ points }) => points[0]!.values[0])).toEqual(expectedCounts);
  const attention = rows.summary.attention!;
  expect([attention.total, attention.rows.length]).toEqual(Array(2).fill(expectedCounts[asked.length - 2]));
  const seen = (text: string): boolean => found.some((row) => row.includes(text));
  expect(domainIssues.filter((issue) => !seen(issue))).toEqual([]);
  expect(["EXPIRED", "CRITICAL", "WARN", "OK"].filter((severity) => !seen(`,${severity},`))).toEqual([]);
});

test("text filters ignore case and wildcards, and suffixes match only after a dot", async () => {
  const names = ["example.org", "a.example.org", "*.example.org", "badexample.org", "xn--bcher-kva.example.com"];
  await using inventory = await openInventory(
    [proxy(1, { description: "100%_Äpfel\\" }), proxy(2, { description: "100 Äpfel" })],
    names.map((hostnameAscii, index) =>
      domain(index + 1, { hostnameAscii, hostname: hostnameAscii.replace("xn--bcher-kva", "bücher") }),
    ),
  );
  const proxiesBy = (q: string) => readRows(inventory, request(searchedType, { keys: ["name"], searchParam: { q } }));
  expect(await proxiesBy("0%_ä")).toEqual(["p-1"]);
  expect(await proxiesBy("\\")).toEqual(["p-1"]);
  expect(await proxiesBy("%")).toEqual(["p-1"]);
  expect(await proxiesBy("100")).toEqual(["p-1", "p-2"]);
  const domainsBy = async (searchParam: SearchParam) =>
    (await readRows(inventory, request(domainType, { keys: ["hostnameAscii"], searchParam }))).toSorted();
  expect(await domainsBy({ hostnameSuffix: ["example.org"] })).toEqual([
    "*.example.org",
    "a.example.org",
    "example.org",
  ]);
  expect(await domainsBy({ q: "BÜCHER" })).toEqual(["xn--bcher-kva.example.com"]);
  expect(await domainsBy({ hostname: ["example.org", "xn--bcher-kva.example.com"] })).toEqual([names[0], names[4]]);
  expect(
    await domainsBy({
      issue: ["PLAINTEXT_ONLY", "PROXY_DOWN"],
      proxyName: ["p-1"],
      upstreamPort: [8443],
      httpsForced: [false],
    }),
  ).toHaveLength(5);
  expect(await domainsBy({ severity: ["OK"] })).toEqual([]);
  expect(await domainsBy({ createdTo: "2020-01-01T00:00:00Z" })).toEqual([]);
});

test("filters by hostile texts find exactly the rows with that text and run no SQL", async () => {
  await using inventory = await openInventory(
    hostileTexts.map((text, index) =>
      proxy(index + 1, { description: text, region: text, ownerTeam: text, tags: [text] }),
    ),
    hostileTexts.map((text, index) =>
      domain(index + 1, { certIssuer: null, upstreamHost: text, proxyId: idOf(1, index + 1) }),
    ),
    180_000,
  );
  const isText = (filter: Filter): boolean => filter.value === "text";
  for (const [index, text] of hostileTexts.entries()) {
    const byProxy: SearchParam = { region: [text], ownerTeam: [text], tag: [text], q: text };
    expect(await readRows(inventory, request(searchedType, { keys: ["name"], searchParam: byProxy }))).toEqual([
      `p-${index + 1}`,
    ]);
    const byDomain: SearchParam = { upstreamHost: [text], proxyRegion: [text], proxyOwnerTeam: [text] };
    expect(await readRows(inventory, request(domainType, { keys: ["hostname"], searchParam: byDomain }))).toEqual([
      `d${index + 1}.example.org`,
    ]);
  }
  const selectTexts = createTestCaseDivider();
  for (const definition of [proxyType, domainType]) {
    const everywhere = definition.filters.filter((filter) => isText(filter) || filter.value === "hostname");
    for (const filter of everywhere) {
      for (const text of selectTexts(hostileTexts, 4)) {
        const searchParam = { [filter.name]: filter.operator === "contains" ? text : [text] };
        await readRows(inventory, request(definition, { searchParam }));
      }
    }
  }
  expect(await readRows(inventory, request(proxyType, { keys: ["name"] }))).toHaveLength(hostileTexts.length);
}, 180_000);

test("a filter value of another type finds no rows and never runs as SQL", async () => {
  await using inventory = await openInventory([proxy(1)], [domain(1)], 180_000);
  const attacks = ["1); drop table domains; --", "' or true or '", "1 or true"];
  const selectAttacks = createTestCaseDivider();
  for (const definition of builtInReportTypes) {
    const before = await readRows(inventory, request(definition));
    for (const filter of definition.filters) {
      for (const attack of selectAttacks(attacks, 3)) {
        const searchParam = {
          [filter.name]: filter.operator === "in" || filter.operator === "has" ? [attack] : attack,
        };
        const rows = readRows(inventory, request(definition, { searchParam })).catch((error: unknown) => {
          if (error instanceof PermanentReportError && error.code === "INVALID_DATA") return [];
          throw error;
        });
        expect(await rows, `${definition.type} ${filter.name} ${attack}`).toEqual([]);
      }
    }
    expect(await readRows(inventory, request(definition))).toEqual(before);
  }
});

test("figures, charts and the attention list count only rows that match the filters", async () => {
  const soon = certified(new Date(Date.now() - 80 * day), new Date(Date.now() + 2.5 * day));
  const late = certified(new Date(Date.now() - 100 * day), new Date(Date.now() - 1.5 * day));
  await using inventory = await openInventory(
    [proxy(1), proxy(2)],
    [
      domain(1, { ...soon, requests24h: 10, errorRate5xx24h: 0.1 }),
      domain(2, { ...late, certIssuer: "Other CA", requests24h: 30, errorRate5xx24h: 0.5 }),
      domain(3),
      domain(4, { ...late, proxyId: idOf(1, 2) }),
    ],
  );
  const { summary, bytes } = await inventory.source.open(request(domainType, { searchParam: { proxyName: ["p-1"] } }));
  bytes.destroy();
  expect(Object.fromEntries(summary.figures.map(({ key, value }) => [key, value]))).toEqual({
    domains: "3",
    expired: "1",
    critical: "1",
    expiring: "0",
    plaintext: "1",
    requests24h: "40",
    errorRate5xx24h: "0.400000",
  });
  const [expiry, issuers] = summary.charts;
  expect(expiry!.points.filter(({ values }) => values[0] !== 0).map(({ label, values }) => [label, values])).toEqual([
    ["Expired", [1]],
    ["0–2", [1]],
    ["No certificate", [1]],
  ]);
  expect(issuers!.points.map(({ label, values }) => [label, values])).toEqual([
    ["CA", [1]],
    ["Other CA", [1]],
  ]);
  expect(expiry!.omitted).toEqual([]);
  expect(issuers!.omitted).toEqual([{ label: "no issuer", value: 1 }]);
  expect(summary.attention!.total).toBe(2);
  expect(summary.attention!.rows.map((row) => [row[0], row[6], row[7]])).toEqual([
    ["d2.example.org", "-2", "EXPIRED"],
    ["d1.example.org", "2", "CRITICAL"],
  ]);
});

test("a chart returns exact sums that a double cannot hold", async () => {
  const most = 9_007_199_254_740_991;
  const domains = [most, most, 3].map((requests24h, at) => domain(at + 1, { requests24h }));
  await using inventory = await openInventory([proxy(1)], domains);
  const { summary, bytes } = await inventory.source.open(request(proxyType));
  bytes.destroy();
  expect(summary.charts[1]!.points[0]).toMatchObject({ exact: ["18014398509481985"] });
});

test("a chart returns rows without a value and its smaller categories as omitted", async () => {
  const regions = Array.from({ length: 14 }, (_, index) => `r${String(index).padStart(2, "0")}`);
  const fields = [...regions, ...regions.slice(0, 12), null, null, null].map((region) => ({ region }));
  await using inventory = await openInventory(
    fields.map((some, index) => proxy(index + 1, some)),
    [],
  );
  const { summary, bytes } = await inventory.source.open(request(proxyType));
  bytes.destroy();
  const [byRegion, busiest] = summary.charts;
  expect(
    byRegion!.points.map(({ label, values }) => [label, values.reduce<number>((sum, value) => sum + value!, 0)]),
  ).toEqual(regions.slice(0, 12).map((region) => [region, 2]));
  expect(byRegion!.omitted).toEqual([
    { label: "no region", value: 3 },
    { label: "2 others", value: 2 },
  ]);
  // The figure and the chart's sums are null, because no proxy has a number of requests.
  expect(summary.figures.find(({ key }) => key === "requests24h")!.value).toBeNull();
  expect(busiest!.points.map(({ values }) => values)).toEqual(Array.from({ length: 10 }, () => [null]));
  expect(busiest!.omitted).toEqual([{ label: "19 others", value: null }]);
});

test("a report without rows has an empty stream and a summary with a count of 0", async () => {
  await using inventory = await openInventory([], []);
  for (const definition of [proxyType, domainType]) {
    const rows = await inventory.source.open(request(definition));
    expect([rows.rowsTotal, await readText(rows.bytes)]).toEqual([0, ""]);
    expect(rows.summary.figures[0]!.value).toBe("0");
  }
});

test("if a summary query fails, the report rejects with its error and its backend ends", async () => {
  await using inventory = await openInventory([proxy(1)], [domain(1)]);
  const client = postgres(inventory.url, { max: 1 });
  const found = await client<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_name = 'domains' and table_schema = 'public'`;
  const columns = found.map(({ name }) =>
    name === "requests_24h" ? `(1 / (id is null)::integer)::bigint as ${name}` : name,
  );
  await client`alter table domains rename to real_domains`;
  // The count does not read the failing column. So only the summary fails.
  await client.unsafe(`create view domains as select ${columns.join(", ")} from real_domains`);
  await client.end();
  const hostnames = request(domainType, { keys: ["hostname"] });
  expect(await readRows(inventory, { ...hostnames, withSummary: false })).toEqual(["d1.example.org"]);
  await using counting = await countConnections(inventory);
  await expect(counting.source.open(hostnames)).rejects.toMatchObject({ code: "INVALID_DATA" });
  await waitFor(async () => (await countBackends(inventory.url)) === 0, { what: "the backend to be gone" });
  // The report opened one connection, and the termination of its backend another.
  expect(counting.proxy.connections).toBe(2);
});

test("a query that cannot be built rejects and leaves no backend running", async () => {
  await using inventory = await openInventory([proxy(1)], []);
  await using counting = await countConnections(inventory);
  const unknown = request(proxyType, { sort: [{ key: "nothing", descending: false }] });
  await expect(counting.source.open(unknown)).rejects.toThrow("nothing");
  await waitFor(async () => (await countBackends(inventory.url)) === 0, { what: "the backend to be gone" });
  expect(counting.proxy.connections).toBe(2);
});

test("an error from onCounted ends the report before its expensive queries run", async () => {
  await using inventory = await openInventory([proxy(1)], [domain(1), domain(2)]);
  const refuse = (rowsTotal: number): never => {
    throw new PermanentReportError("REPORT_TOO_LARGE", `${rowsTotal} rows`);
  };
  const opened = inventory.source.open(request(domainType, { onCounted: refuse }));
  await expect(opened).rejects.toMatchObject({ code: "REPORT_TOO_LARGE", message: "2 rows" });
  await waitFor(async () => (await countBackends(inventory.url)) === 0, { what: "the backend to be gone" });
});

test("a report excludes changes that are committed after its snapshot", async () => {
  await using inventory = await openInventory([proxy(1)], []);
  const rows = await inventory.source.open(request(proxyType, { keys: ["name"] }));
  await copyIntoInventory({ databaseUrl: inventory.url, proxies: [proxy(2)], domains: [] });
  expect([rows.rowsTotal, await readText(rows.bytes)]).toEqual([1, "p-1\n"]);
  await waitFor(async () => (await countBackends(inventory.url)) === 0, {
    what: "the connection to be closed",
  });
});

/**
 * An inventory with more bytes in its rows than fit in all buffers. A report of it is still running when a test ends it. The tests share it, because
 * they only read it.
 */
let large: Promise<Inventory> | undefined;
const openLarge = async (): Promise<Inventory> =>
  (large ??= openInventory(
    [proxy(1, { region: "r".repeat(5_000) })],
    Array.from({ length: 6_000 }, (_, index) => domain(index + 1)),
  ));
afterAll(async () => (await large)?.[Symbol.asyncDispose]());

test("a report's backend ends if its stream is destroyed, left unread or aborted", async () => {
  const inventory = await openLarge();
  const gone = () =>
    waitFor(async () => (await countBackends(inventory.url)) === 0, {
      what: "the backend to be gone",
    });

  const destroyed = await inventory.source.open(request(domainType));
  expect(await countBackends(inventory.url)).toBe(1);
  destroyed.bytes.destroy();
  await gone();

  const left = await inventory.source.open(request(domainType));
  for await (const _ of left.bytes) break;
  await gone();

  const stop = new AbortController();
  const aborted = await inventory.source.open(request(domainType, { signal: stop.signal }));
  const reason = new Error("cancelled");
  const reading = readText(aborted.bytes);
  stop.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await gone();
});

async function backends(url: string): Promise<number[]> {
  const client = postgres(url, { max: 1 });
  const rows = await client<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'reports-rows'`;
  await client.end();
  return rows.map(({ pid }) => pid);
}

test("a report's time zone never reaches the database as SQL", async () => {
  await using inventory = await openInventory([proxy(1)], []);
  const source = createRowSourceReader({ url: inventory.url, reuseMs: 60_000 });
  const read = async (timezone: string): Promise<string> =>
    readText((await source.open(request(proxyType, { keys: ["name"], timezone }))).bytes);
  const others = [
    "UTC', true); commit; create table injected (); --",
    "UTC\\', true); commit; create table injected (); --",
  ];
  for (const timezone of [...others, "$1", "'"]) expect(await read(timezone)).toBe("p-1\n");
  expect(await read("UTC")).toBe("p-1\n");
  const client = postgres(inventory.url, { max: 1 });
  expect(await client`select to_regclass('injected')::text as injected`).toEqual([{ injected: null }]);
  await client.end();
});

test("a reused connection keeps no setting of the last report", async () => {
  await using inventory = await openInventory([proxy(1, { lastCheckedAt: new Date("2026-07-01T10:00:00Z") })], []);
  const source = createRowSourceReader({ url: inventory.url, reuseMs: 60_000, connectTimeoutMs: 60_000 });
  const read = async (timezone: string): Promise<string> =>
    readText((await source.open(request(proxyType, { keys: ["name", "lastCheckedAt"], timezone }))).bytes);
  expect(await read("Asia/Kolkata")).toBe("p-1,2026-07-01 10:00:00+00\n");
  const [first] = await backends(inventory.url);
  await copyIntoInventory({ databaseUrl: inventory.url, proxies: [proxy(2)], domains: [] });
  expect(await read("UTC")).toBe("p-1,2026-07-01 10:00:00+00\np-2,\n");
  expect(await backends(inventory.url)).toEqual([first]);

  const client = postgres(inventory.url, { max: 1 });
  await client`select pg_terminate_backend(${first!}, 45000)`;
  await client.end();
  expect(await read("UTC")).toContain("p-2");
  expect(await backends(inventory.url)).not.toContain(first);
});

test("a connection is not reused if a report's rows were not read to the end", async () => {
  const inventory = await openLarge();
  const source = createRowSourceReader({ url: inventory.url, reuseMs: 60_000 });
  const stop = new AbortController();
  for (const signal of [new AbortController().signal, stop.signal]) {
    const rows = await source.open(request(domainType, { signal }));
    if (signal === stop.signal) stop.abort(new Error("cancelled"));
    else rows.bytes.destroy();
    const gone = async (): Promise<boolean> => (await countBackends(inventory.url)) === 0;
    await expect(waitFor(gone, { what: "the backend to be gone" })).resolves.toBe(true);
  }
});

test("if three reports end at the same time, only one connection is kept", async () => {
  await using inventory = await openInventory([proxy(1)], []);
  const source = createRowSourceReader({ url: inventory.url, reuseMs: 60_000 });
  const open = async () => source.open(request(proxyType, { keys: ["name"] }));
  const opened = await Promise.all([open(), open(), open()]);
  expect(await countBackends(inventory.url)).toBe(3);
  expect(await Promise.all(opened.map(async ({ bytes }) => readText(bytes)))).toEqual(["p-1\n", "p-1\n", "p-1\n"]);
  const oneLeft = async (): Promise<boolean> => (await countBackends(inventory.url)) === 1;
  await expect(waitFor(oneLeft, { what: "one connection to be left" })).resolves.toBe(true);
});

test("an idle connection is closed after reuseMs", async () => {
  await using inventory = await openInventory([proxy(1)], []);
  const source = createRowSourceReader({ url: inventory.url, reuseMs: 500 });
  expect(await readText((await source.open(request(proxyType, { keys: ["name"] }))).bytes)).toBe("p-1\n");
  await waitFor(async () => (await countBackends(inventory.url)) === 0, { what: "the backend to be gone" });
});

test("an abort ends a query that has not returned a row yet", async () => {
  await using inventory = await openInventory([proxy(1)], [domain(1)]);
  const client = postgres(inventory.url, { max: 1 });
  await client`alter table domains rename to real_domains`;
  await client`create function slow() returns boolean language sql volatile as 'select pg_sleep(60) is not null'`;
  await client`create view domains as select * from real_domains where slow()`;
  const stop = new AbortController();
  const opening = inventory.source.open(request(domainType, { signal: stop.signal }));
  opening.catch(() => undefined);
  await waitFor(async () => (await countBackends(inventory.url)) === 1, { what: "the query to run" });
  const reason = new Error("cancelled");
  stop.abort(reason);
  await expect(opening).rejects.toBe(reason);
  await waitFor(async () => (await countBackends(inventory.url)) === 0, {
    what: "the backend to be gone",
  });
  await client.end();
});

test("reading rejects with StoreUnavailableError if Postgres terminates the backend", async () => {
  const inventory = await openLarge();
  const rows = await inventory.source.open(request(domainType));
  const client = postgres(inventory.url, { max: 1 });
  await client`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reports-rows' and datname = current_database()`;
  await client.end();
  await expect(readText(rows.bytes)).rejects.toThrow(StoreUnavailableError);
});

test("an unreachable server is retryable; a query past its time limit is final", async () => {
  const nowhere = createRowSourceReader({ url: "postgres://nobody@127.0.0.1:1/none" });
  await expect(nowhere.open(request(proxyType))).rejects.toThrow(StoreUnavailableError);
  await using inventory = await openInventory([proxy(1)], []);
  const client = postgres(inventory.url, { max: 1 });
  await client`alter table proxies rename to real_proxies`;
  await client`create view proxies as select * from real_proxies where pg_sleep(30) is not null`;
  await client.end();
  const failed = await inventory.source
    .open(request(proxyType, { statementTimeoutMs: 100 }))
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(PermanentReportError);
  expect(failed).toMatchObject({ code: "RUN_TIME_LIMIT_EXCEEDED" });
});
