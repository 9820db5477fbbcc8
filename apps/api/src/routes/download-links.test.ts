import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { FileStore } from "@reports/core/base";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  builtInReportAuthorities,
  startApiUnderTest,
  createTestToken,
  type ApiUnderTest,
} from "../test/api-under-test.ts";
import { startListenerUnderTest } from "../test/event-stream-reader.ts";
import { openRawClient, type RawClient } from "../test/raw-client.ts";

const content = "name\r\nedge-1\r\n";
const blocks = Array.from({ length: 4 }, (_, index) => Buffer.alloc(64 * 1024, 65 + index));
const allAuthorities = [...builtInReportAuthorities, "REPORTS_ADMIN"];

const metrics = { method: "GET", path: "/metrics" };

let api: ApiUnderTest;
let client: RawClient;
let clockAheadMs = 0;
const now = () => new Date(Date.now() + clockAheadMs);
/** A gate that a test can set: each download then waits for this promise after the first half of the file. */
let downloadGate: Promise<void> | undefined;

beforeAll(async () => {
  api = await startApiUnderTest({ now, wrapFiles });
  client = await openRawClient(api.listener);
});
beforeEach(() => {
  clockAheadMs = 0;
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

function wrapFiles(files: FileStore): FileStore {
  return Object.assign(Object.create(files) as FileStore, {
    open: async (...given: Parameters<FileStore["open"]>) => {
      const opened = await files.open(...given);
      return downloadGate === undefined
        ? opened
        : { ...opened, body: Readable.from(inBlocks(opened.body, downloadGate)) };
    },
  });
}

async function* inBlocks(body: Readable, opening: Promise<void>) {
  const all = Buffer.concat(await body.toArray());
  const quarter = all.length / 4;
  for (let from = 0; from < all.length; from += quarter) {
    if (from === 2 * quarter) await opening;
    yield all.subarray(from, from + quarter);
  }
}

let count = 0;

async function ready(bytes: string | Buffer = content, at = api) {
  const name = `caller-${++count}`;
  const caller = await at.as(builtInReportAuthorities, name);
  const { body } = await caller.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  const { file } = await at.succeed(body.id as string, bytes);
  const links = `/v1/reports/${body.id}/files/${file!.id}/links`;
  const make = async (by = caller, input: object = {}) =>
    (await by.post(links).send(input).expect(201)).body as { id: string; url: string; expiresAt: string };
  return { id: body.id as string, name, caller, file: file!, links, make };
}

/** Sends a GET to an ended link. Returns the response without the values that differ between any two requests. */
async function getEndedLink(url: string) {
  const { status, headers, text } = await api.anonymous().get(url);
  const { date: _, "x-request-id": id, ...others } = headers as Record<string, string>;
  return { status, headers: others, text: text.replaceAll(id!, "<request>") };
}

describe("download links", () => {
  test("a link downloads a report's file without credentials, with headers and ranges", async () => {
    const { make, file } = await ready();
    const { url, id, expiresAt } = await make();
    expect(url).toMatch(/^\/v1\/links\/[A-Za-z0-9_-]{43}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(900_000);
    const whole = await api.anonymous().get(url).expect(200);
    expect(whole.text).toBe(content);
    expect(whole.headers).toMatchObject({
      etag: `"${file.sha256}"`,
      "repr-digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
      "referrer-policy": "no-referrer",
      "x-robots-tag": "none",
    });
    const head = await api.anonymous().head(url).expect(200);
    expect(head.headers["content-length"]).toBe(String(content.length));
    const part = await api
      .anonymous()
      .get(url)
      .set({ Range: "bytes=0-3", "If-Range": `"${file.sha256}"` });
    expect([part.status, part.text]).toEqual([206, "name"]);
    expect((await api.anonymous().get(url).set({ Range: "bytes=0-3", "If-Range": '"other"' })).status).toBe(200);
    await api.anonymous().get(url).set("Accept", "image/png").expect(406);
    expect(id).not.toBe(url);
  });

  test("the URL of a link begins with PUBLIC_URL, never with the request's Host", async () => {
    const publicUrl = "https://reports.example.com";
    await using at = await startApiUnderTest({ publicUrl, basePath: "/gateway", databaseUrl: api.databaseUrl });
    const { links, caller } = await ready(content, at);
    const { body } = await caller.post(links).set("Host", "evil.example").send({}).expect(201);
    expect(body.url).toMatch(/^https:\/\/reports\.example\.com\/gateway\/v1\/links\/[A-Za-z0-9_-]{43}$/);
  });

  test("the token of a link is in no table or log, and audit lines name its creator", async () => {
    const { make, id, name, links, caller } = await ready();
    const link = await make();
    const token = link.url.split("/").at(-1)!;
    await api.anonymous().get(link.url).expect(200);
    const refused = await api.anonymous().get(link.url).set("Accept", "image/png").expect(406);
    await caller.delete(`${links}/${link.id}`).expect(204);
    const gone = await api.anonymous().get(link.url).expect(404);
    expect(refused.text + gone.text + JSON.stringify(api.lines)).not.toContain(token);
    expect(JSON.stringify(await api.sql`select * from download_links`)).not.toContain(token);
    const lines = api.lines.filter(({ audit, recordId }) => audit === true && recordId === id);
    const principal = `https://issuer.example|${name}`;
    expect(lines.filter(({ action }) => action !== "report.start")).toMatchObject([
      { action: "report.link", outcome: "done", principal },
      { action: "report.follow-link", outcome: "done", principal, route: "/v1/links/{token}", owner: principal },
      { action: "report.unlink", outcome: "done", principal },
      { action: "report.follow-link", outcome: "refused", status: 404, principal: null },
    ]);
  });
});

describe("secrecy of tokens", () => {
  const encoded = (token: string) => [...token].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
  const requests: Record<string, (token: string) => readonly [method: string, path: string]> = {
    "followed by a slash": (token) => ["GET", `/v1/links/${token}/`],
    "in another case of the path": (token) => ["GET", `/V1/Links/${token}`],
    "after a double slash": (token) => ["GET", `//v1/links/${token}`],
    "without the version": (token) => ["GET", `/links/${token}`],
    "below another path": (token) => ["GET", `/gateway/v1/links/${token}`],
    "followed by another segment": (token) => ["GET", `/v1/links/${token}/extra`],
    "followed by a full stop": (token) => ["GET", `/v1/links/${token}.`],
    "percent-encoded": (token) => ["GET", `/v1/link/${encoded(token)}`],
    "percent-encoded twice": (token) => ["GET", `/v1/link/${encoded(token).replaceAll("%", "%25")}`],
    "on a path that is not UTF-8": (token) => ["GET", `/v1/links/${token}%ff`],
    "with a method that is not supported": (token) => ["POST", `/v1/links/${token}`],
    "with a parameter": (token) => ["GET", `/v1/links/${token}?x=1`],
    "as the id of a report": (token) => ["GET", `/v1/reports/${token}`],
    "as the id of a link": (token) => ["DELETE", `/v1/reports/${token}/files/${token}/links/${token}`],
    "as the name of a report type": (token) => ["GET", `/v1/report-types/${token}`],
    "as the name of a problem": (token) => ["GET", `/problems/${token}`],
    "as the value of a parameter": (token) => ["GET", `/v1/reports?access_token=${token}&token=${token}`],
  };

  test.each(Object.entries(requests))(
    "no response, log or metric reveals a link token that is sent %s",
    async (_, make) => {
      const token = randomBytes(32).toString("base64url");
      const [method, path] = make(token);
      const caller = `Bearer ${await createTestToken(allAuthorities)}`;
      for (const headers of [{}, { Authorization: caller }]) {
        const answer = await client.ask({ method, path, headers });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        const output = answer.text + JSON.stringify([answer.headers, api.lines]) + (await client.ask(metrics)).text;
        expect(output).not.toContain(token);
        expect(output).not.toContain(encoded(token));
      }
    },
  );
});

describe("ended links", () => {
  const unknown = `/v1/links/${"A".repeat(43)}`;
  const cases: Record<string, () => Promise<string>> = {
    "if it never existed": async () => "/v1/links/nonsense",
    "when its lifetime is over": async () => {
      const { url } = await (await ready()).make(undefined, { expiresInSeconds: 60 });
      await api.anonymous().head(url).expect(200);
      clockAheadMs = 60_000;
      return url;
    },
    "when it is revoked": async () => {
      const { make, caller, links } = await ready();
      const { id, url } = await make();
      for (let times = 0; times < 2; times++) await caller.delete(`${links}/${id}`).expect(204);
      return url;
    },
    "when its report is deleted": async () => {
      const { make, caller, id } = await ready();
      const { url } = await make();
      await caller.delete(`/v1/reports/${id}`).expect(204);
      return url;
    },
    "when its file expires": async () => {
      const { make, id } = await ready();
      const { url } = await make();
      await api.expire(id);
      return url;
    },
    "when the store has lost its file": async () => {
      const { make, file } = await ready();
      const { url } = await make();
      await api.store.remove(file.storageKey);
      return url;
    },
    "when the token of its creator expires": async () => {
      const { make } = await ready();
      clockAheadMs = 3_600_000 - 60_000;
      const { url } = await make();
      await api.anonymous().head(url).expect(200);
      clockAheadMs += 61_000;
      return url;
    },
    "when the account of its creator is disabled": async () => {
      const { url, name } = await linkOfUser();
      await api.sql`update users set disabled_at = now() where name = ${name}`;
      return url;
    },
    "when its creator loses the authority": async () => {
      const { url, name } = await linkOfUser();
      await api.sql`update users set authorities = '{REPORT_PROXY_DOMAIN}' where name = ${name}`;
      return url;
    },
  };

  async function linkOfUser() {
    const { links } = await ready();
    const name = `user-${count}`;
    await api.addUser(name, "correct horse", builtInReportAuthorities);
    const { body } = await api.anonymous().post(links).auth(name, "correct horse").send({}).expect(201);
    await api.anonymous().get(body.url).expect(200);
    return { url: body.url as string, name };
  }

  test.each(Object.entries(cases))("a GET of a link gets the same 404 %s", async (_, end) => {
    const url = await end();
    expect(await getEndedLink(url)).toEqual(await getEndedLink(unknown));
    expect(await getEndedLink(unknown)).toMatchObject({ status: 404 });
  });
});

test("a running download continues when its link is revoked or expires", async () => {
  const bytes = Buffer.concat(blocks);
  const { make, caller, links } = await ready(bytes);
  const { id, url } = await make();
  await using server = await startListenerUnderTest(api.listener);
  const opening = Promise.withResolvers<void>();
  downloadGate = opening.promise;
  const answer = await fetch(`http://127.0.0.1:${server.port}${url}`);
  downloadGate = undefined;
  await caller.delete(`${links}/${id}`).expect(204);
  clockAheadMs = 900_000;
  await api.anonymous().get(url).expect(404);
  opening.resolve();
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

test("only the creator of a link and administrators can list and revoke it", async () => {
  const { make, caller, links } = await ready();
  const { url: _, ...made } = await make();
  const [other, admin] = [await api.as(builtInReportAuthorities, "other"), await api.as(allAuthorities, "admin")];
  const listed = { ...made, createdBy: expect.any(String), createdAt: expect.any(String) };
  for (const [by, expected] of [
    [caller, [listed]],
    [admin, [listed]],
    [other, []],
  ] as const)
    expect((await by.get(links).expect(200)).body).toEqual(expected);
  expect((await other.delete(`${links}/${made.id}`).expect(404)).body.code).toBe("link-not-found");
  await admin.delete(`${links}/${made.id}`).expect(204);
  expect((await caller.get(links)).body).toEqual([]);
});

test("revoking an expired link gets a 404, even if it was revoked before", async () => {
  const { make, caller, links } = await ready();
  const [left, revoked] = [
    await make(undefined, { expiresInSeconds: 60 }),
    await make(undefined, { expiresInSeconds: 60 }),
  ];
  for (let times = 0; times < 2; times++) await caller.delete(`${links}/${revoked.id}`).expect(204);
  clockAheadMs = 60_000;
  for (const { id } of [left, revoked])
    expect((await caller.delete(`${links}/${id}`).expect(404)).body.code).toBe("link-not-found");
});

test("with REPORT_VISIBILITY=requester, only the requester can create a link", async () => {
  await using at = await startApiUnderTest({ reportVisibility: "requester", databaseUrl: api.databaseUrl });
  const { links, make } = await ready(content, at);
  const other = await at.as(builtInReportAuthorities, "other");
  expect((await other.post(links).send({}).expect(404)).body.code).toBe("report-not-found");
  await at
    .anonymous()
    .get((await make()).url)
    .expect(200);
});

test("a caller has at most 20 active links, even with concurrent requests", async () => {
  const { caller, links } = await ready();
  const answers = await Promise.all(Array.from({ length: 24 }, async () => caller.post(links).send({})));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(20);
  expect(answers.find(({ status }) => status === 422)?.body.code).toBe("too-many-links");
  await caller.delete(`${links}/${made[0]!.body.id}`).expect(204);
  await caller.post(links).send({}).expect(201);
});

test("creating a link gets one 422 for a long lifetime and for unknown fields", async () => {
  const { caller, links } = await ready();
  const { body: byDefault } = await caller.post(links).send({ expiresInSeconds: null }).expect(201);
  const { body: longest } = await caller.post(links).send({ expiresInSeconds: 900 }).expect(201);
  expect(Math.abs(Date.parse(longest.expiresAt) - Date.parse(byDefault.expiresAt))).toBeLessThan(600_000);
  const { body } = await caller.post(links).send({ expiresInSeconds: 901, nonsense: 1 }).expect(422);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/nonsense", "/expiresInSeconds"]);
});

test("a link expires no later than the token of its creator", async () => {
  const { links } = await ready();
  const token = await createTestToken(builtInReportAuthorities, "brief");
  const { exp } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as { exp: number };
  clockAheadMs = 3_600_000 - 60_000;
  const { body } = await api.anonymous().post(links).set("Authorization", `Bearer ${token}`).send({}).expect(201);
  expect(Date.parse(body.expiresAt)).toBe(exp * 1000);
});

test("with LINK_MAX_SECONDS=0, links can neither be created nor followed", async () => {
  const { make, links } = await ready();
  const { url } = await make();
  await using off = await startApiUnderTest({ linkMaxSeconds: 0, databaseUrl: api.databaseUrl, store: api.store });
  const caller = await off.as(builtInReportAuthorities);
  expect((await caller.post(links).send({}).expect(404)).body.code).toBe("path-not-found");
  expect((await off.anonymous().get(url).expect(404)).body.code).toBe("path-not-found");
});

test("at the limit of unknown links per address, valid links still work", async () => {
  const limits = { logins: { perAddress: 3, perAccount: 0 } };
  await using at = await startApiUnderTest({ limits, databaseUrl: api.databaseUrl });
  const { make, caller, links } = await ready(content, at);
  const [active, revoked] = [await make(), await make()];
  await caller.delete(`${links}/${revoked.id}`).expect(204);
  const urls = [revoked.url, "/v1/links/x", `/v1/links/${"B".repeat(43)}`, revoked.url, "/v1/links/x"];
  const answers = [];
  for (const url of urls) answers.push(await at.anonymous().get(url));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429, 429]);
  expect(answers[3]!.body.code).toBe("too-many-unknown-links");
  expect(answers[3]!.headers).toHaveProperty("retry-after");
  await at.anonymous().get(active.url).expect(200);
});

test("downloads by links count towards the download limit of their creator", async () => {
  const bytes = Buffer.concat(blocks);
  const limits = { downloads: { total: 0, perPrincipal: 1 } };
  await using at = await startApiUnderTest({ limits, wrapFiles, databaseUrl: api.databaseUrl });
  const [mine, others] = [await ready(bytes, at), await ready(content, at)];
  const [first, second] = [await mine.make(), await mine.make()];
  await using server = await startListenerUnderTest(at.listener);
  const opening = Promise.withResolvers<void>();
  downloadGate = opening.promise;
  const answer = await fetch(`http://127.0.0.1:${server.port}${first.url}`);
  downloadGate = undefined;
  expect((await at.anonymous().get(second.url).expect(429)).body.code).toBe("too-many-downloads");
  await at
    .anonymous()
    .get((await others.make()).url)
    .expect(200);
  opening.resolve();
  await answer.arrayBuffer();
});
