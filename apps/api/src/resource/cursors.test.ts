import { deflateRawSync } from "node:zlib";
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
const teams: string[] = [];
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;

beforeAll(async () => {
  api = await startApiUnderTest();
  agent = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
  for (let index = 0; index < 6; index++) {
    teams.push(incompressibleText(100));
    const proxy = { kind: index < 5 ? "REVERSE" : "FORWARD", address: `e${index}.example.net`, protocol: "HTTPS" };
    await agent
      .post("/v1/proxies")
      .send({
        ...proxy,
        name: `edge-${index}`,
        port: 8000 + index,
        ownerTeam: teams[index],
        description: incompressibleText(2_000),
      })
      .expect(201);
  }
});
afterAll(async () => api[Symbol.asyncDispose]());

let seed = 1;
function incompressibleText(length: number): string {
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => String.fromCodePoint(0x4e00 + (next() % 20_000))).join("");
}

interface Got {
  readonly names: readonly string[];
  readonly next: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

async function get(path: string): Promise<Got> {
  const { body, headers } = await agent.get(path).expect(200);
  const next = /^<([^>]+)>; rel="next"$/.exec(headers["link"] ?? "")?.[1];
  return { names: (body as { name: string }[]).map(({ name }) => name), next, headers };
}

async function follow(first: string): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const page: Got = await get(next);
    pages.push(page.names);
    next = page.next;
    expect(next?.length ?? 0).toBeLessThan(2_048 + 100);
  }
  return pages;
}

const cursorOf = (path: string | undefined): string => /^\/v1\/proxies\?cursor=([\w-]+)$/.exec(path ?? "")![1]!;
const refusalOf = async (query: string) => {
  const { body } = await agent.get(`/v1/proxies?${query}`).expect(400);
  return [body.code, ...body.errors.map(({ code }: { code: string }) => code)] as string[];
};

test("the link to the next page has only a cursor, which contains the whole query", async () => {
  const whole = "kind=REVERSE&sort=-name&limit=2&count=exact";
  const first = await get(`/v1/proxies?${whole}`);
  const second = await get(`/v1/proxies?cursor=${cursorOf(first.next)}`);
  expect(second).toMatchObject({ names: ["edge-2", "edge-1"], headers: { "x-total-count": "5" } });
  expect((await get(second.next!)).names).toEqual(["edge-0"]);
});

test("a cursor may be combined with its own query, and with any limit and count", async () => {
  const filters = "kind=REVERSE&sort=name";
  const cursor = cursorOf((await get(`/v1/proxies?${filters}&limit=2`)).next);
  expect((await get(`/v1/proxies?${filters}&limit=2&cursor=${cursor}`)).names).toEqual(["edge-2", "edge-3"]);
  const other = await get(`/v1/proxies?limit=1&count=exact&cursor=${cursor}`);
  expect(other).toMatchObject({ names: ["edge-2"], headers: { "x-total-count": "5" } });
  expect(await follow(other.next!)).toEqual([["edge-3"], ["edge-4"]]);
});

test("a cursor is refused together with another filter or sort", async () => {
  const cursor = cursorOf((await get("/v1/proxies?kind=REVERSE&sort=name&limit=2")).next);
  for (const other of ["kind=FORWARD", "kind=REVERSE&kind=FORWARD", "port=8001", "sort=-name", "sort=name,port"])
    expect([other, await refusalOf(`${other}&cursor=${cursor}`)]).toEqual([
      other,
      ["invalid-parameters", "bad_cursor"],
    ]);
  await agent.get(`/v1/domains?cursor=${cursor}`).expect(400);
});

test("a cursor is refused in any other spelling", async () => {
  const cursor = cursorOf((await get("/v1/proxies?limit=2")).next);
  const variants = [`${cursor}A`, `${cursor}=`, `${cursor}%3D`, `${cursor}%20`, `${cursor}.`, cursor.slice(0, -1)];
  for (let index = 0; index < cursor.length; index++)
    variants.push(`${cursor.slice(0, index)}${cursor[index] === "A" ? "B" : "A"}${cursor.slice(index + 1)}`);
  for (const variant of variants)
    expect([variant, await refusalOf(`cursor=${variant}`)]).toEqual([variant, ["invalid-parameters", "bad_cursor"]]);
});

test("a forged cursor is decompressed up to a limit, and its content is validated", async () => {
  const forge = (content: unknown) => {
    const packed = deflateRawSync(JSON.stringify(content)).toString("base64url");
    return `${createHash("sha256").update(`/v1/proxies\n${packed}`).digest("base64url").slice(0, 16)}${packed}`;
  };
  const position = ["2026-01-01", "018f0000-0000-7000-8000-000000000001"];
  await agent.get(`/v1/proxies?cursor=${forge([position, {}, {}])}`).expect(200);
  const anchor = { id: position[1], hash: "another" };
  for (const content of [
    [position, { q: "a".repeat(1_000_000) }, {}],
    [position, { colour: "red" }, {}],
    [position, { kind: "reverse" }, {}],
    [position, { kind: [] }, {}],
    [position, { limit: "201" }, {}],
    [position, { createdFrom: "today" }, { createdFrom: "'; --" }],
    [["no time", position[1]], {}, {}],
    [[...position, "more"], {}, {}],
    [anchor, {}, {}],
    [{ ...anchor, id: "x" }, {}, {}],
    position,
    null,
  ])
    expect([content, await refusalOf(`cursor=${forge(content)}`)]).toEqual([
      content,
      ["invalid-parameters", "bad_cursor"],
    ]);
});

test("a list with a hundred filter values can be read to its last page", async () => {
  const values = Array.from({ length: 97 }, (_, index) => `name=edge-${index}`).join("&");
  expect((await follow(`/v1/proxies?sort=name&limit=2&kind=REVERSE&${values}`)).flat()).toHaveLength(5);
});

test("a query with a hundred IDs succeeds if all matches fit on one page", async () => {
  const ids = Array.from({ length: 99 }, () => `proxyId=${randomUUID()}`).join("&");
  expect(await agent.get(`/v1/domains?limit=1&${ids}`).expect(200)).toMatchObject({ body: [] });
});

test("a query that is too long for a cursor is refused if there is a second page", async () => {
  const values = (count: number, length: number) =>
    Array.from({ length: count }, () => `ownerTeam=${encodeURIComponent(incompressibleText(length))}`).join("&");
  const more = `kind=REVERSE&ownerTeam=${encodeURIComponent(teams[0]!)}&ownerTeam=${encodeURIComponent(teams[1]!)}`;
  const tooLong = `/v1/proxies?${more}&${values(8, 100)}`;
  const { body } = await agent.get(`${tooLong}&limit=1`).expect(400);
  expect(body).toMatchObject({ code: "query-too-long", errors: [{ code: "query_too_long" }] });
  expect(body.detail).toContain("2,048 characters");
  // The same query succeeds if all matches fit on one page, because it needs no cursor.
  expect(await get(`${tooLong}&limit=2`)).toMatchObject({ names: [expect.any(String), expect.any(String)] });
  expect(await get(`/v1/proxies?${values(4, 100)}`)).toMatchObject({ names: [], next: undefined });
});

test("a cursor after a record with long sort values is short and works", async () => {
  const sort = "sort=description,-ownerTeam,name,address,port";
  const names = (await get(`/v1/proxies?${sort}`)).names;
  expect((await follow(`/v1/proxies?${sort}&limit=1`)).flat()).toEqual(names);
  // With these filters, the sort values of the last record do not fit into the cursor. So it contains the record's ID and a hash of the values.
  const { body } = await agent.get("/v1/proxies").expect(200);
  const teams = (body as { ownerTeam: string }[]).map(({ ownerTeam }) => `ownerTeam=${encodeURIComponent(ownerTeam)}`);
  expect((await follow(`/v1/proxies?${sort}&limit=1&${teams.slice(0, 4).join("&")}`)).flat()).toHaveLength(4);
});

test("a cursor is refused if the sort values of its record have changed", async () => {
  const sort = "sort=description&limit=1";
  const [first, second] = await Promise.all([get(`/v1/proxies?${sort}`), get(`/v1/proxies?${sort}`)]);
  const { body } = await agent.get(`/v1/proxies?name=${first.names[0]}`).expect(200);
  const path = `/v1/proxies/${(body as { id: string }[])[0]!.id}`;
  await agent.patch(path).send({ region: "another" }).expect(201);
  await get(first.next!);
  await agent
    .patch(path)
    .send({ description: incompressibleText(2_000) })
    .expect(201);
  expect(await refusalOf(`cursor=${cursorOf(second.next)}`)).toEqual(["invalid-parameters", "bad_cursor"]);
});

test("a cursor requires its time zone only if its relative times depend on the zone", async () => {
  const cursorFor = async (query: string) => cursorOf((await get(`/v1/proxies?limit=1&${query}`)).next);
  const zoned = await cursorFor("createdFrom=thisYear-P1Y&timezone=Asia/Tokyo");
  await get(`/v1/proxies?cursor=${zoned}`);
  await get(`/v1/proxies?cursor=${zoned}&timezone=Asia/Tokyo&createdFrom=thisYear-P1Y`);
  expect(await refusalOf(`cursor=${zoned}&timezone=Asia/Seoul`)).toEqual(["invalid-parameters", "bad_cursor"]);
  for (const query of ["", "createdFrom=now-PT1H", "createdFrom=2000-01-01T00:00:00Z", "q=edge"]) {
    const cursor = await cursorFor(`${query}&timezone=Asia/Tokyo`);
    await get(`/v1/proxies?${query}&cursor=${cursor}`);
    await get(`/v1/proxies?${query}&cursor=${cursor}&timezone=Europe/Berlin`);
  }
});
