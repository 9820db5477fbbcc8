import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let clockAheadMs = 0;
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;

beforeAll(async () => {
  api = await startApiUnderTest({ now: () => new Date(Date.now() + clockAheadMs) });
  agent = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
  for (let index = 0; index < 7; index++) {
    const { body } = await agent
      .post("/v1/proxies")
      .send({
        name: `edge-${index}`,
        kind: index % 2 === 0 ? "REVERSE" : "FORWARD",
        address: `e${index}.example.net`,
        port: 8000 + index,
        protocol: "HTTPS",
        description: index === 3 ? "100% of_it\\" : "",
        region: index === 0 ? null : `r${index % 3}`,
        tags: index < 3 ? ["low", `t${index}`] : [],
      })
      .expect(201);
    const day = 86_400_000;
    await agent
      .post(`/v1/proxies/${body.id}/domains`)
      .send({
        hostname: index === 6 ? "bücher.example" : `h${index}.example.org`,
        upstreamScheme: "HTTP",
        upstreamHost: "10.0.0.1",
        upstreamPort: 80,
        tlsMode: "ACME",
        certIssuer: "CA",
        certKeyType: "RSA2048",
        certNotBefore: new Date(Date.now() - 80 * day).toISOString(),
        certNotAfter: new Date(Date.now() + ((index - 1) * 10 + 0.5) * day).toISOString(),
        certFingerprintSha256: "a".repeat(64),
      })
      .expect(201);
  }
});
afterAll(async () => api[Symbol.asyncDispose]());

async function names(query: string): Promise<string[]> {
  const { body } = await agent.get(`/v1/proxies?${query}`).expect(200);
  return (body as { name: string }[]).map(({ name }) => name);
}

test("a list is an array with the newest record first", async () => {
  expect(await names("")).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `edge-${index}`));
});

test("following rel=next from the first page returns every record once", async () => {
  for (const query of ["", "kind=REVERSE&kind=FORWARD", "sort=-region", "sort=region,-name", "q=edge&count=exact"]) {
    const seen: string[] = [];
    let path: string | undefined = `/v1/proxies?limit=2&${query}`;
    while (path !== undefined) {
      const { body, headers }: { body: { name: string }[]; headers: Record<string, string> } = await agent
        .get(path)
        .expect(200);
      seen.push(...body.map(({ name }) => name));
      path = /<([^>]+)>; rel="next"/.exec(headers["link"] ?? "")?.[1];
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual(await names(query));
  }
});

test("a list with count=exact returns the total number of matches", async () => {
  const { headers, body } = await agent.get("/v1/proxies?limit=2&count=exact&kind=REVERSE").expect(200);
  expect(body).toHaveLength(2);
  expect(headers["x-total-count"]).toBe("4");
});

test("count=exact counts up to 10,000, and reports a larger total as at least 10,001", async () => {
  await api.sql`
    insert into proxies (id, name, kind, address, port, protocol)
    select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'counted-' || n, 'STREAM', 'counted.example.net', n, 'TCP'
    from generate_series(1, 10001) n`;
  const counted = async () => {
    const { headers } = await agent.get("/v1/proxies?limit=1&count=exact&kind=STREAM").expect(200);
    return [headers["x-total-count"], headers["x-total-count-at-least"]];
  };
  expect(await counted()).toEqual([undefined, "10001"]);
  await api.sql`delete from proxies where name = 'counted-1'`;
  expect(await counted()).toEqual(["10000", undefined]);
  await api.sql`delete from proxies where name like 'counted-%'`;
});

test.each([
  ["kind=FORWARD", [5, 3, 1]],
  ["kind=FORWARD&port=8001&port=8005", [5, 1]],
  ["tag=t1&tag=t2", [2, 1]],
  ["q=100%25%20OF_it%5C", [3]],
  ["q=of-it", []],
  ["region=r1&region=r2", [5, 4, 2, 1]],
  ["createdFrom=2000-01-01T00:00:00Z&createdTo=2001-01-01T00:00:00%2B02:00", []],
])("the list of proxies with the query %s returns the matches", async (query, expected) => {
  expect(await names(query)).toEqual(expected.map((index) => `edge-${index}`));
});

test.each([
  ["severity=EXPIRED", ["h0.example.org"]],
  ["severity=EXPIRED&severity=WARN", ["h2.example.org", "h0.example.org"]],
  ["issue=CERT_EXPIRING", ["h2.example.org", "h1.example.org"]],
  ["hostname=b%C3%BCcher.example", ["bücher.example"]],
  ["hostnameSuffix=example", ["bücher.example"]],
  ["q=XN--", ["bücher.example"]],
  ["proxyName=edge-4", ["h4.example.org"]],
])("the list of all proxies' domains with the query %s returns the matches", async (query, expected) => {
  const { body } = await agent.get(`/v1/domains?${query}`).expect(200);
  expect((body as { hostname: string }[]).map(({ hostname }) => hostname)).toEqual(expected);
});

test.each([
  ["color=red", "color", "unknown_parameter"],
  ["knd=REVERSE", "knd", "unknown_parameter"],
  ["kind=reverse", "kind", "invalid_filter"],
  ["limit=0", "limit", "invalid_parameter"],
  ["limit=201", "limit", "invalid_parameter"],
  ["limit=1&limit=2", "limit", "repeated_parameter"],
  ["sort=tags", "sort", "invalid_parameter"],
  ["sort=name,-name", "sort", "invalid_parameter"],
  ["count=yes", "count", "invalid_parameter"],
  ["cursor=abc", "cursor", "bad_cursor"],
  ["cursor=", "cursor", "bad_cursor"],
  ["createdFrom=yesterday", "createdFrom", "invalid_filter"],
  ["createdFrom=today-P1D1D", "createdFrom", "invalid_filter"],
  ["createdFrom=now&createdTo=today", "createdFrom", "empty_range"],
  ["timezone=Mars/Olympus", "timezone", "invalid_parameter"],
  ["createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z", "createdFrom", "empty_range"],
  ["q=", "q", "invalid_filter"],
  ["q=%00", "q", "invalid_filter"],
  ["q=%ff", "q", "malformed_encoding"],
])("a list refuses the query %s and names the parameter", async (query, parameter, code) => {
  const { body } = await agent.get(`/v1/proxies?${query}`).expect(400);
  expect(body.errors).toContainEqual(expect.objectContaining({ parameter, code }));
});

test.each([
  ["proxies", "region=a%0Ab"],
  ["proxies", "ownerTeam=a%09b"],
  ["proxies", "tag=%01"],
  ["proxies", "q=%01"],
  ["domains", "certIssuer=a%0Ab"],
  ["domains", "proxyOwnerTeam=%7F"],
  ["domains", "q=%C2%85"],
  ["reports", "q=ab"],
  ["reports", "q=%F0%9F%90%98a"],
  ["reports", `q=${"a".repeat(121)}`],
  ["reports", "reportType=proxy"],
  ["reports", "reportType=PROXY_"],
  ["reports", "requestedBy=nobody"],
  ["reports", "requestedBy=basic:"],
  ["reports", "requestedBy=issuer%7C"],
  ["reports", "requestedBy=basic:a%0Ab"],
  ["report-schedules", "reportType=x%20y"],
  ["report-schedules", "owner=nobody"],
])("the list of %s refuses %s, because no record can have the value", async (list, query) => {
  const { body } = await agent.get(`/v1/${list}?${query}`).expect(400);
  expect(body.errors).toMatchObject([{ parameter: query.split("=")[0], code: "invalid_filter" }]);
});

test.each([
  ["proxies", "q=two%0Alines%09and"],
  ["reports", "reportType=NEVER_SEEN&requestedBy=basic:nobody&requestedBy=jwt%7Cnobody"],
  ["report-schedules", "owner=https://issuer.example%7Ca%7Cb"],
])("the list of %s is empty for %s, a valid value that no record has", async (list, query) => {
  expect((await agent.get(`/v1/${list}?${query}`).expect(200)).body).toEqual([]);
});

test.each([
  ["proxies?limit=1&limit=2&limit=3", "limit takes one value, and 3 were given."],
  ["proxies?sort=name&sort=port", "sort takes one value, and 2 were given. Separate what it lists with commas."],
  ["report?reportType=PROXY&reportType=PROXY", "reportType takes one value, and 2 were given."],
  ["report?reportType=PROXY&format=csv&format=pdf", "format takes one value, and 2 were given."],
  [
    "report?reportType=PROXY&columns=name&columns=port",
    "columns takes one value, and 2 were given. Separate what it lists with commas.",
  ],
  ["report?reportType=PROXY&searchParam=a&searchParam=b", "searchParam takes one value, and 2 were given."],
  ["report?reportType=PROXY&searchParam[q]=a&searchParam[q]=b", "q takes one value, and 2 were given."],
  ["report-types/PROXY/rows?limit=1&limit=2", "limit takes one value, and 2 were given."],
])("the 400 to GET /v1/%s names the repeated parameter", async (path, message) => {
  const { body } = await (await api.as(["REGISTRY_READ", ...builtInReportAuthorities])).get(`/v1/${path}`).expect(400);
  expect(body.errors.map((issue: { message: string }) => issue.message)).toContain(message);
});

test.each([
  ["reports", "requestedBy"],
  ["report-schedules", "owner"],
])("the list of %s suggests `me` for a wrong %s, and accepts it", async (list, name) => {
  const { body } = await agent.get(`/v1/${list}?${name}=alice`).expect(400);
  expect(body.errors).toMatchObject([{ message: expect.stringContaining(`${name} must be me or a principal with`) }]);
  await agent.get(`/v1/${list}?${name}=me`).expect(200);
});

test("a list suggests the nearest name for an unknown parameter", async () => {
  const { body } = await agent.get("/v1/proxies?knd=REVERSE").expect(400);
  expect(body.detail).toContain("Did you mean kind?");
});

test("a list resolves relative times in the caller's time zone", async () => {
  // The test uses `now`, not `today`, because just after midnight its records may be from yesterday.
  expect(await names("createdFrom=now-PT1H&createdTo=now%2BPT1H")).toHaveLength(7);
  expect(await names("createdFrom=now-PT1H&createdTo=now PT1H")).toHaveLength(7);
  // A plus sign that the query does not encode arrives as a space. The API reads that space as the plus before the offset.
  expect(await names("createdFrom=2000-01-01T00:00:00+02:00&createdTo=2000-01-02T00:00:00.5+02:00")).toEqual([]);
  await agent.get("/v1/proxies?createdFrom=2000-01-01+00:00").expect(400);
  expect(await names("createdTo=today-P1D&timezone=Pacific/Kiritimati")).toEqual([]);
  expect(await names("createdFrom=thisYear-P1Y&timezone=America/Los_Angeles")).toHaveLength(7);
});

test("a relative time in a filter means the same instant on all pages of a list", async () => {
  const query = "createdFrom=now-PT1H&createdTo=now%2BPT1H&timezone=Asia/Tokyo";
  const { headers } = await agent.get(`/v1/proxies?limit=2&${query}`).expect(200);
  const next = /<([^>]+)>; rel="next"/.exec(headers["link"]!)![1]!;
  clockAheadMs = 3 * 3_600_000;
  try {
    expect(await names(query)).toEqual([]);
    const { body, headers: more } = await agent.get(next).expect(200);
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(["edge-4", "edge-3"]);
    const last = await agent.get(/<([^>]+)>/.exec(more["link"]!)![1]!).expect(200);
    expect(last.body).toHaveLength(2);
  } finally {
    clockAheadMs = 0;
  }
  await agent.get(`${next}&${query}`).expect(200);
  await agent.get(`${next}&${query.replace("PT1H", "PT2H")}`).expect(400);
});
