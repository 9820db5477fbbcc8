import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;
let count = 0;

beforeAll(async () => {
  api = await startApiUnderTest({ basePath: "/gateway" });
  agent = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
});
test("a problem's instance is the caller's path, including the base path", async () => {
  const agent = await api.as(["REGISTRY_READ"]);
  for (const path of ["/v1/proxies?nothing=1", "/nowhere"]) {
    const { body } = await agent.get(path);
    expect(body.instance).toBe(`/gateway${path.split("?")[0]}`);
    expect(body.type).toMatch(/^\/gateway\/problems\//);
  }
});

afterAll(async () => api[Symbol.asyncDispose]());

async function statusesOf(...requests: readonly PromiseLike<{ readonly status: number }>[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await request).status);
  return statuses;
}

function proxyBody(fields: Record<string, unknown> = {}) {
  count += 1;
  const name = `edge-${count}`;
  return { name, kind: "REVERSE", address: `${name}.example.net`, port: 443, protocol: "HTTPS", ...fields };
}

function domainBody(fields: Record<string, unknown> = {}) {
  return {
    hostname: "shop.example.org",
    upstreamScheme: "HTTP",
    upstreamHost: "10.0.0.1",
    upstreamPort: 80,
    tlsMode: "NONE",
    ...fields,
  };
}

async function addProxy(fields: Record<string, unknown> = {}) {
  const { body } = await agent.post("/v1/proxies").send(proxyBody(fields)).expect(201);
  return body as Record<string, unknown> & { readonly id: string };
}

test("a POST returns the complete record with Location and ETag, as a GET does", async () => {
  const created = await agent
    .post("/v1/proxies")
    .send(proxyBody({ tags: ["a"] }))
    .expect(201);
  expect(created.headers["location"]).toBe(`/gateway/v1/proxies/${created.body.id}`);
  const read = await agent.get(`/v1/proxies/${created.body.id}`).expect(200);
  expect(read.body).toEqual(created.body);
  expect(read.headers["etag"]).toBe(created.headers["etag"]);
  await agent.get(`/v1/proxies/${created.body.id}`).set("If-None-Match", created.headers["etag"]!).expect(304);
});

test("PUT accepts a record as it was read, and resets missing fields to their defaults", async () => {
  const proxy = await addProxy({ region: "eu", tags: ["a"] });
  const same = await agent.put(`/v1/proxies/${proxy.id}`).send(proxy).expect(201);
  expect(same.body).toEqual(proxy);
  const { name, kind, address, port, protocol } = proxy;
  const replaced = await agent.put(`/v1/proxies/${proxy.id}`).send({ name, kind, address, port, protocol }).expect(201);
  expect(replaced.body).toMatchObject({ region: null, tags: [], createdAt: proxy["createdAt"] });
  const missing = await agent.put(`/v1/proxies/${proxy.id}`).send({ name }).expect(422);
  expect(missing.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
    "/kind",
    "/address",
    "/port",
    "/protocol",
  ]);
});

describe("observed fields", () => {
  const seen = { health: "DOWN", lastCheckedAt: "2026-11-01T00:00:00.000Z", latencyMsP95: 70 };
  const traffic = {
    requests24h: 9_000,
    bytesOut24h: 81_000,
    errorRate5xx24h: 0.25,
    lastCheckedAt: "2026-11-01T00:00:00.000Z",
  };

  test("POST and PATCH write fields that probes observe; a PUT without them keeps them", async () => {
    const { region: _, ...body } = proxyBody({ region: "eu" }) as Record<string, unknown>;
    const proxy = await addProxy({ ...body, ...seen });
    expect((await agent.put(`/v1/proxies/${proxy.id}`).send(body).expect(201)).body).toMatchObject(seen);

    const path = `/v1/proxies/${proxy.id}/domains`;
    const { body: domain } = await agent.post(path).send(domainBody()).expect(201);
    const item = `${path}/${domain.id}`;
    expect((await agent.patch(item).send(traffic).expect(201)).body).toMatchObject(traffic);
    const replaced = await agent.put(item).send(domainBody({ upstreamPort: 81 }));
    expect(replaced.body).toMatchObject({ ...traffic, upstreamPort: 81 });
  });

  test("PUT validates probe-observed fields but does not store them", async () => {
    const proxy = await addProxy(seen);
    const stale = { ...proxy, health: "UP", lastCheckedAt: null, latencyMsP95: 1 };
    const { body } = await agent.put(`/v1/proxies/${proxy.id}`).send(stale).expect(201);
    expect(body).toEqual(proxy);
    const wrong = await agent.put(`/v1/proxies/${proxy.id}`).send({ ...proxy, health: "ILL", latencyMsP95: -1 });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/health", "/latencyMsP95"]);
  });

  test("null in a PATCH resets health to UNKNOWN and other observed fields to null", async () => {
    const proxy = await addProxy(seen);
    const nulls = Object.fromEntries(Object.keys(seen).map((field) => [field, null]));
    const { body } = await agent.patch(`/v1/proxies/${proxy.id}`).send(nulls).expect(201);
    expect(body).toMatchObject({ ...nulls, health: "UNKNOWN" });
  });

  test("a probe's PATCH changes only the part of the entity tag that If-Match ignores", async () => {
    const path = `/v1/proxies/${(await addProxy()).id}`;
    const read = await agent.get(path);
    expect(read.headers["etag"]).toMatch(/^"\d+-\d+"$/);
    const probed = await agent.patch(path).send({ health: "UP" }).expect(201);
    const [before, after] = [read.headers["etag"]!, probed.headers["etag"]!];
    expect(after.split("-")[0]).toBe(before.split("-")[0]);
    await agent.get(path).set("If-None-Match", before).expect(200);
    await agent.get(path).set("If-None-Match", after).expect(304);
    await agent.get(path).set("If-Match", before).expect(200);
    // A person now sends the record as it was before the probe changed it, so the body has the old updatedAt.
    const written = await agent
      .put(path)
      .set("If-Match", before)
      .send({ ...read.body, region: "eu" });
    expect(written.status).toBe(201);
    expect(written.body).toMatchObject({ region: "eu", health: "UP" });
    expect(written.headers["etag"]!.split("-")[0]).not.toBe(before.split("-")[0]);
    const conditions = ["If-Match", "If-None-Match"].map((name) => [name, written.headers["etag"]!] as const);
    expect(
      await statusesOf(
        agent.patch(path).set("If-Match", before).send({ health: "DOWN" }),
        agent.delete(path).set("If-Match", after),
        agent
          .patch(path)
          .set(...conditions[1]!)
          .send({ region: "us" }),
        agent.patch(path).set("If-Match", `W/${written.headers["etag"]!}`).send({ region: "us" }),
        agent.patch(path).set("If-Match", written.headers["etag"]!.replace(/-.*/, '"')).send({ region: "us" }),
        agent.delete(path).set(...conditions[0]!),
      ),
    ).toEqual([412, 412, 412, 412, 412, 204]);
  });

  test("a weak entity tag in If-Match gets a 412 that explains the likely cause", async () => {
    const path = `/v1/proxies/${(await addProxy()).id}`;
    const etag = (await agent.get(path).expect(200)).headers["etag"]!;
    const detailOf = async (ifMatch: string) =>
      (await agent.patch(path).set("If-Match", ifMatch).send({ region: "eu" }).expect(412)).body.detail as string;
    for (const weak of [`W/${etag}`, `"x", W/${etag}`]) expect(await detailOf(weak)).toMatch(/weak.*gzip off/);
    expect(await detailOf('"W/x"')).not.toContain("weak");
  });

  test("an old record can be sent back without If-Match until its configuration changes", async () => {
    const path = `/v1/proxies/${(await addProxy()).id}`;
    const { body: read } = await agent.get(path);
    for (const health of ["UP", "DOWN"]) await agent.patch(path).send({ health }).expect(201);
    await agent.put(path).send(read).expect(201);
    await agent.patch(path).send({ region: "eu" }).expect(201);
    await agent.patch(path).send({ health: "UP" }).expect(201);
    const { body } = await agent.put(path).send(read).expect(422);
    expect(body.errors).toMatchObject([{ pointer: "/updatedAt", code: "read_only" }]);
  });
});

type ReadRecord = Readonly<Record<string, unknown>> & { readonly id: string };

test.each([
  ["PUT of the record as it was read", (read: ReadRecord) => agent.put(`/v1/proxies/${read.id}`).send(read)],
  ["PATCH without fields", (read: ReadRecord) => agent.patch(`/v1/proxies/${read.id}`).send({})],
  [
    "PATCH of the same values in another spelling",
    (read: ReadRecord) =>
      agent.patch(`/v1/proxies/${read.id}`).send({
        tags: read["tags"],
        lastCheckedAt: "2026-11-01T01:00:00+01:00",
        address: String(read["address"]).toUpperCase(),
      }),
  ],
])("a write that changes nothing (%s) keeps the entity tag and updatedAt", async (_, write) => {
  const { id } = await addProxy({ tags: ["a", "b"], lastCheckedAt: "2026-11-01T00:00:00Z" });
  const read = await agent.get(`/v1/proxies/${id}`);
  const written = await write(read.body);
  expect(written.status).toBe(201);
  expect(written.body).toEqual(read.body);
  expect(written.headers["etag"]).toBe(read.headers["etag"]);
});

test.each(["application/merge-patch+json", "application/json"])(
  "PATCH with %s changes only the given fields, and null resets a field",
  async (type) => {
    const proxy = await addProxy({ region: "eu", ownerTeam: "core" });
    const patched = await agent
      .patch(`/v1/proxies/${proxy.id}`)
      .type(type)
      .send(JSON.stringify({ region: null, health: "UP" }))
      .expect(201);
    expect(patched.body).toEqual({ ...proxy, region: null, health: "UP", updatedAt: patched.body.updatedAt });
  },
);

test("with If-Match, the second of two concurrent writers gets 412", async () => {
  const { id } = await addProxy();
  const { headers } = await agent.get(`/v1/proxies/${id}`);
  const write = async (field: Record<string, unknown>) =>
    agent.patch(`/v1/proxies/${id}`).set("If-Match", headers["etag"]!).send(field);
  const answers = await Promise.all([write({ region: "one" }), write({ region: "two" })]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 412]));
  const winner = answers.find(({ status }) => status === 201)!;
  expect((await agent.get(`/v1/proxies/${id}`)).body).toEqual(winner.body);
});

test("concurrent PATCH requests of different fields are all stored", async () => {
  const { id } = await addProxy();
  const fields = [{ region: "eu" }, { ownerTeam: "core" }, { softwareVersion: "1.2" }, { countryCode: "DE" }];
  await Promise.all(fields.map(async (field) => agent.patch(`/v1/proxies/${id}`).send(field).expect(201)));
  expect((await agent.get(`/v1/proxies/${id}`)).body).toMatchObject(Object.assign({}, ...fields));
});

test("concurrent writes of probes and a person are all stored", async () => {
  const path = `/v1/proxies/${(await addProxy()).id}`;
  const read = await agent.get(path);
  const probes = [{ health: "DOWN" }, { latencyMsP95: 12 }, { lastCheckedAt: "2026-11-02T00:00:00.000Z" }];
  const write = agent
    .put(path)
    .set("If-Match", read.headers["etag"]!)
    .send({ ...read.body, region: "eu" });
  const answers = await Promise.all([write, ...probes.map(async (probe) => agent.patch(path).send(probe))]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect((await agent.get(path)).body).toMatchObject({ region: "eu", ...Object.assign({}, ...probes) });
});

describe("DELETE", () => {
  test("DELETE of a deleted record answers 204, other methods 410; unknown IDs get 404", async () => {
    const { id, ...rest } = await addProxy();
    expect(
      await statusesOf(
        agent.delete(`/v1/proxies/${id}`),
        agent.delete(`/v1/proxies/${id}`),
        agent.get(`/v1/proxies/${id}`),
        agent.patch(`/v1/proxies/${id}`).send({ region: "eu" }),
        agent.put(`/v1/proxies/${id}`).send(rest),
        agent.delete(`/v1/proxies/${randomUUID()}`),
        agent.delete("/v1/proxies/nonsense"),
      ),
    ).toEqual([204, 204, 410, 410, 410, 404, 404]);
  });

  test("DELETE of a proxy also deletes its domains, and its name can be used again", async () => {
    const proxy = await addProxy();
    const domain = await agent.post(`/v1/proxies/${proxy.id}/domains`).send(domainBody()).expect(201);
    await agent.delete(`/v1/proxies/${proxy.id}`).expect(204);
    await agent.get(`/v1/proxies/${proxy.id}/domains/${domain.body.id}`).expect(410);
    await agent.get(`/v1/proxies/${proxy.id}/domains`).expect(410);
    await agent.post(`/v1/proxies/${proxy.id}/domains`).send(domainBody()).expect(410);
    const { body } = await agent.get("/v1/domains").query({ proxyId: proxy.id }).expect(200);
    expect(body).toEqual([]);
    await addProxy({ name: proxy["name"], address: proxy["address"] });
  });

  test("DELETE with a stale If-Match deletes nothing", async () => {
    const { id } = await addProxy();
    expect(
      await statusesOf(agent.delete(`/v1/proxies/${id}`).set("If-Match", '"r999"'), agent.get(`/v1/proxies/${id}`)),
    ).toEqual([412, 200]);
  });
});

test("a malformed If-Match gets 400, even for a deleted record, and an empty one 412", async () => {
  const { id } = await addProxy();
  const remove = async (ifMatch: string) => agent.delete(`/v1/proxies/${id}`).set("If-Match", ifMatch);
  const answers = [await remove("r1"), await remove(""), await remove("*"), await remove("r1"), await remove('"r1"')];
  expect(answers.map(({ status }) => status)).toEqual([400, 412, 204, 400, 204]);
});

test("a record with a parent is found only in the URL of its own parent", async () => {
  const [one, two] = [await addProxy(), await addProxy()];
  const { body, headers } = await agent.post(`/v1/proxies/${one.id}/domains`).send(domainBody()).expect(201);
  expect(headers["location"]).toBe(`/gateway/v1/proxies/${one.id}/domains/${body.id}`);
  expect(body.proxyId).toBe(one.id);
  await agent.get(`/v1/proxies/${one.id}/domains/${body.id}`).expect(200);
  for (const wrong of [two.id, randomUUID(), "x"]) {
    await agent.get(`/v1/proxies/${wrong}/domains/${body.id}`).expect(404);
    await agent.patch(`/v1/proxies/${wrong}/domains/${body.id}`).send({}).expect(404);
    await agent.put(`/v1/proxies/${wrong}/domains/${body.id}`).send(domainBody()).expect(404);
    await agent.delete(`/v1/proxies/${wrong}/domains/${body.id}`).expect(404);
  }
  await agent.delete(`/v1/proxies/${one.id}/domains/${body.id}`).expect(204);
});

test("a 422 points to each value that another record already has", async () => {
  const proxy = await addProxy();
  const { body } = await agent
    .post("/v1/proxies")
    .send(proxyBody({ name: proxy["name"], address: proxy["address"] }))
    .expect(422);
  expect(body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])).toEqual([
    ["/name", "taken"],
    ["/address", "taken"],
    ["/port", "taken"],
  ]);
  const sentences = (body.detail as string).split(/(?<=\.) /);
  expect(sentences).toEqual([...new Set(sentences)]);
  await agent.post(`/v1/proxies/${proxy.id}/domains`).send(domainBody()).expect(201);
  const again = await agent
    .post(`/v1/proxies/${proxy.id}/domains`)
    .send(domainBody({ hostname: "SHOP.example.org." }))
    .expect(422);
  expect(again.body.errors[0]).toMatchObject({ pointer: "/hostname", code: "taken" });
});

test("a body may repeat the fields that the server sets, but not change them", async () => {
  const proxy = await addProxy();
  await agent.patch(`/v1/proxies/${proxy.id}`).send({ id: proxy.id, createdAt: proxy["createdAt"] }).expect(201);
  const { body } = await agent.patch(`/v1/proxies/${proxy.id}`).send({ id: randomUUID() }).expect(422);
  expect(body.errors[0]).toMatchObject({ pointer: "/id", code: "read_only" });
  const path = `/v1/proxies/${proxy.id}/domains`;
  await agent
    .post(path)
    .send(domainBody({ proxyId: proxy.id }))
    .expect(201);
  await agent
    .post(path)
    .send(domainBody({ hostname: "b.example.org", proxyId: randomUUID() }))
    .expect(422);
});

describe("invalid bodies", () => {
  const bodies: readonly (readonly [string, string | Buffer, number])[] = [
    ["an incomplete object", '{"name":', 400],
    ["no content", "", 400],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ["a key twice", '{"name":"a","name":"b"}', 400],
    ["__proto__", '{"__proto__":{"name":"a"}}', 400],
    ["90,000 brackets", "[".repeat(90_000), 422],
    ["deep nesting", `${'{"a":'.repeat(40)}1${"}".repeat(40)}`, 400],
    ["an array", "[]", 422],
    ["null", "null", 422],
    ["a number out of range", JSON.stringify(proxyBody()).replace("443", "1e999"), 422],
    ["a huge integer", JSON.stringify(proxyBody()).replace("443", "99999999999999999999"), 422],
    ["NUL in text", JSON.stringify(proxyBody({ description: "a\0b" })), 422],
    [
      "a lone surrogate",
      String.raw`{"name":"a","kind":"REVERSE","address":"x.example","port":1,"protocol":"TCP","region":"\ud800"}`,
      422,
    ],
    ["more than 256 KiB", JSON.stringify({ name: "a".repeat(300_000) }), 413],
  ];
  test.each(bodies)("the API refuses a body with %s and changes nothing", async (_, body, status) => {
    const before = await api.sql`select count(*) from proxies`;
    const sending = agent.post("/v1/proxies").type("application/json");
    if (typeof body !== "string") sending.write(body);
    const answer = await (typeof body === "string" ? sending.send(body) : sending);
    expect(answer.status).toBe(status);
    expect(await api.sql`select count(*) from proxies`).toEqual(before);
  });
});

test("an unsupported media type gets a 415 that names the supported types", async () => {
  const { id } = await addProxy();
  const post = await agent.post("/v1/proxies").type("text/plain").send("{}").expect(415);
  expect(post.headers["accept-post"]).toBe("application/json");
  const patch = await agent.patch(`/v1/proxies/${id}`).type("application/xml").send("<a/>").expect(415);
  expect(patch.headers["accept-patch"]).toBe("application/merge-patch+json, application/json");
});

test("HEAD has the headers of GET, and OPTIONS and 405 list the methods", async () => {
  const { id } = await addProxy();
  for (const path of ["/v1/proxies", `/v1/proxies/${id}`, `/v1/proxies/${id}/domains`, "/v1/domains"]) {
    const get = await agent.get(path).expect(200);
    // superagent sends no Accept-Encoding with HEAD unless the test sets it.
    const head = await agent.head(path).set("Accept-Encoding", "gzip, deflate").expect(200);
    expect(head.text ?? "").toBe("");
    const { date: _1, "x-request-id": _2, ...ofGet } = get.headers;
    const { date: _3, "x-request-id": _4, ...ofHead } = head.headers;
    expect(ofHead).toEqual(ofGet);
  }
  const options = await agent.options(`/v1/proxies/${id}`).expect(204);
  expect(options.headers["allow"]).toBe("GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
  const refused = await agent.post(`/v1/proxies/${id}`).send({}).expect(405);
  expect(refused.headers["allow"]).toBe(options.headers["allow"]);
  await agent.post("/v1/domains").send({}).expect(405);
});

test("reading proxies and domains needs REGISTRY_READ, and writing REGISTRY_WRITE", async () => {
  const { id } = await addProxy();
  const reader = await api.as(["REGISTRY_READ"]);
  const writer = await api.as(["REGISTRY_WRITE"]);
  expect(
    await statusesOf(
      reader.get(`/v1/proxies/${id}`),
      writer.get(`/v1/proxies/${id}`),
      writer.get("/v1/domains"),
      reader.post("/v1/proxies").send(proxyBody()),
      reader.delete(`/v1/proxies/${id}`),
      writer.delete(`/v1/proxies/${id}`),
    ),
  ).toEqual([200, 403, 403, 403, 403, 204]);
});
