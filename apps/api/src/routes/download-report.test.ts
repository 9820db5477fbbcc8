import { createHash } from "node:crypto";
import { request as httpRequest, type IncomingMessage, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { StoreMismatchError, StoreUnavailableError, type FileStore } from "@reports/core/base";
import { newId } from "@reports/runtime";
import { unrestrictedClaimTerms, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

const content = "﻿name\r\nedge-1\r\n";
const bytes = Buffer.from(content);
const sha256 = createHash("sha256").update(bytes).digest();

let fault: FileStore["open"] | null = null;
let statFault: FileStore["stat"] | null = null;
/**
 * How many milliseconds ago a test replaced the file store; 0 if it did not. The identity check may reuse a result that is older than the
 * replacement.
 */
let storeReplacedMsAgo = 0;
/** Time of the API's clock, which stands still, so that `Retry-After` is that of a new report even on a busy machine. */
const startedAt = new Date();
let api: ApiUnderTest;
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;
let ready: { id: string; file: { id: string } };

beforeAll(async () => {
  api = await startApiUnderTest({
    now: () => startedAt,
    identity: {
      assert: async ({ maxAgeMs = 0 } = {}) => {
        if (maxAgeMs < storeReplacedMsAgo) throw new StoreMismatchError("The folder /srv/secret is another one.");
      },
    },
    wrapFiles: (files) => ({
      ...files,
      open: async (key, options) => (fault ?? files.open)(key, options),
      stat: async (key, options) => (statFault ?? files.stat)(key, options),
    }),
  });
  agent = await api.as(builtInReportAuthorities);
  ready = await finished("Proxies.csv");
});
afterAll(async () => api[Symbol.asyncDispose]());

let starts = 0;
/** Starts a report with a unique title, so that a legacy start does not return an earlier report instead. */
async function started(reportType = "PROXY"): Promise<string> {
  starts += 1;
  const { body } = await agent
    .get("/v1/report")
    .query({ reportType, format: "csv", title: `Report ${starts}` })
    .expect(202);
  return body.id as string;
}

async function finished(fileName: string, extension = "csv") {
  const report = await api.succeed(await started(), bytes, extension, fileName);
  return { id: report.id, file: { id: report.file!.id }, finishedAt: report.finishedAt! };
}

const paths = {
  legacy: (report: { id: string }) => `/v1/report/download?reportType=PROXY&id=${report.id}`,
  REST: (report: { id: string; file: { id: string } }) => `/v1/reports/${report.id}/files/${report.file.id}`,
};

describe.each(Object.entries(paths))("the %s download", (_, pathOf) => {
  test("a download answers 200 with the stored bytes and all headers of a file", async () => {
    const response = await agent.get(pathOf(ready)).responseType("blob");
    expect(response.status).toBe(200);
    expect(response.body).toEqual(bytes);
    expect(response.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-length": String(bytes.length),
      "content-disposition": 'attachment; filename="Proxies.csv"',
      etag: `"${sha256.toString("hex")}"`,
      "accept-ranges": "bytes",
      "repr-digest": `sha-256=:${sha256.toString("base64")}:`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache, no-transform",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(Date.parse(response.headers["last-modified"]!)).toBeGreaterThan(0);
  });

  test("HEAD of a download has the headers of GET and no body", async () => {
    const get = await agent.get(pathOf(ready)).responseType("blob");
    const head = await agent.head(pathOf(ready));
    expect(head.status).toBe(200);
    expect(comparable(head.headers)).toEqual(comparable(get.headers));
    expect(head.text ?? "").toBe("");
  });

  test.each([
    ["bytes=0-3", "0-3", bytes.subarray(0, 4)],
    ["bytes=4-", `4-${bytes.length - 1}`, bytes.subarray(4)],
    ["bytes=-5", `${bytes.length - 5}-${bytes.length - 1}`, bytes.subarray(-5)],
    ["bytes=-9999", `0-${bytes.length - 1}`, bytes],
    ["bytes=2-9999", `2-${bytes.length - 1}`, bytes.subarray(2)],
  ])("a download answers 206 to the range %s", async (range, part, expected) => {
    const response = await agent.get(pathOf(ready)).set("Range", range).responseType("blob");
    expect(response.status).toBe(206);
    expect(response.headers["content-range"]).toBe(`bytes ${part}/${bytes.length}`);
    expect(response.headers["content-length"]).toBe(String(expected.length));
    expect(response.headers["repr-digest"]).toBe(`sha-256=:${sha256.toString("base64")}:`);
    expect(response.body).toEqual(expected);
  });

  test.each(["bytes=abc", "bytes=5-2", "bytes=0-1,3-4", "lines=0-1", "bytes=", "bytes=-"])(
    "a download sends the whole file for the malformed or multiple range %s",
    async (range) => {
      const response = await agent.get(pathOf(ready)).set("Range", range).responseType("blob");
      expect(response.status).toBe(200);
      expect(response.body).toEqual(bytes);
    },
  );

  test.each([`bytes=${bytes.length}-`, "bytes=99999999999999999999-", "bytes=-0"])(
    "a download answers 416 to the range %s",
    async (range) => {
      const response = await agent.get(pathOf(ready)).set("Range", range);
      expect(response.status).toBe(416);
      expect(response.headers["content-range"]).toBe(`bytes */${bytes.length}`);
      expect(response.headers["content-type"]).toBe("application/problem+json");
    },
  );

  test("a download answers a range with 206 if If-Range is current, otherwise with 200", async () => {
    const head = await agent.head(pathOf(ready));
    const ask = async (value: string) =>
      (await agent.get(pathOf(ready)).set("Range", "bytes=0-0").set("If-Range", value)).status;
    expect(await ask(head.headers["etag"]!)).toBe(206);
    expect(await ask(head.headers["last-modified"]!)).toBe(206);
    expect(await ask('"another"')).toBe(200);
    expect(await ask(`W/${head.headers["etag"]}`)).toBe(200);
    expect(await ask("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(200);
  });

  test("a download answers 304 if If-None-Match or If-Modified-Since is current", async () => {
    const head = await agent.head(pathOf(ready));
    for (const [name, value] of [
      ["If-None-Match", head.headers["etag"]!],
      ["If-None-Match", `"x", W/${head.headers["etag"]}`],
      ["If-None-Match", "*"],
      ["If-Modified-Since", head.headers["last-modified"]!],
    ] as const) {
      const response = await agent.get(pathOf(ready)).set(name, value);
      expect(response.status).toBe(304);
      expect(response.headers["etag"]).toBe(head.headers["etag"]);
      expect(response.text).toBe("");
    }
    expect((await agent.get(pathOf(ready)).set("If-None-Match", '"x"')).status).toBe(200);
  });

  test("a download answers 412 if If-Match does not contain the strong entity tag", async () => {
    const { headers } = await agent.head(pathOf(ready));
    expect((await agent.get(pathOf(ready)).set("If-Match", '"x"')).status).toBe(412);
    expect((await agent.get(pathOf(ready)).set("If-Match", `W/${headers["etag"]}`)).status).toBe(412);
    expect((await agent.get(pathOf(ready)).set("If-Match", headers["etag"]!)).status).toBe(200);
  });

  test.each(["If-Match", "If-None-Match"])("a download answers 400 to a malformed %s", async (name) => {
    const response = await agent.get(pathOf(ready)).set(name, "abc");
    expect(response.status).toBe(400);
    expect(response.body.errors[0]).toMatchObject({ header: name });
  });

  test("a download answers 400 to an unknown query parameter", async () => {
    const path = pathOf(ready);
    const response = await agent.get(`${path}${path.includes("?") ? "&" : "?"}inline=true`);
    expect(response.status).toBe(400);
    expect(response.body.errors[0]).toMatchObject({ parameter: "inline", code: "unknown_parameter" });
  });

  test("a download answers 401 to a request without credentials", async () => {
    expect((await api.anonymous().get(pathOf(ready))).status).toBe(401);
  });

  test("a download answers 406 if Accept excludes the media type, which the 406 names", async () => {
    const response = await agent.get(pathOf(ready)).set("Accept", "application/json");
    expect(response.status).toBe(406);
    expect(response.body.detail).toContain("text/csv");
    for (const accept of ["text/*", "text/csv", "application/json;q=0.5, */*;q=0.1"]) {
      expect((await agent.get(pathOf(ready)).set("Accept", accept)).status).toBe(200);
    }
  });

  test("the API answers 410 to a download of an expired or lost file or a deleted report", async () => {
    const [expired, deleted, lost] = [await finished("a.csv"), await finished("b.csv"), await finished("c.csv")];
    await api.expire(expired.id);
    await api.sql`update reports set deleted_at = now() where id = ${deleted.id}`;
    for await (const { key } of api.store.list(`reports/${lost.id}/`)) await api.store.remove(key);
    expect((await agent.get(pathOf(expired))).body).toMatchObject({ status: 410, code: "report-expired" });
    expect((await agent.get(pathOf(deleted))).body).toMatchObject({ status: 410, code: "report-deleted" });
    expect((await agent.get(pathOf(lost))).body).toMatchObject({ status: 410, code: "report-file-lost" });
    expect((await agent.head(pathOf(lost))).status).toBe(410);
  });

  test("a download answers 404 to an invalid file ID, even if the file has expired", async () => {
    const expired = await finished("a.csv");
    await api.expire(expired.id);
    expect((await agent.get(`/v1/reports/${expired.id}/files/junk`)).body.code).toBe("file-not-found");
    expect((await agent.get(`/v1/reports/${expired.id}/files/${expired.file.id}`)).body.code).toBe("report-expired");
  });

  test("a download answers 503, not 410, while the store does not belong to the database", async () => {
    const [moved, there] = [await finished("a.csv"), await finished("b.csv")];
    for await (const { key } of api.store.list(`reports/${moved.id}/`)) await api.store.remove(key);
    const problem = { status: 503, code: "store-mismatch" };
    try {
      // The store was replaced 1 ms ago, so an older result of the identity check would wrongly be positive.
      storeReplacedMsAgo = 1;
      expect((await agent.get(pathOf(moved))).body).toMatchObject(problem);
      expect((await agent.head(pathOf(moved))).status).toBe(503);
      storeReplacedMsAgo = 60_000;
      const response = await agent.get(pathOf(there));
      expect(response.body).toMatchObject(problem);
      expect(response.headers["retry-after"]).toBe("30");
      expect(response.text).not.toContain("secret");
      expect((await agent.head(pathOf(there))).status).toBe(503);
    } finally {
      storeReplacedMsAgo = 0;
    }
    expect((await agent.get(pathOf(there))).status).toBe(200);
    expect((await agent.get(pathOf(moved))).body).toMatchObject({ status: 410, code: "report-file-lost" });
  });

  test("a download answers 503 while the file store is unavailable", async () => {
    const unavailable = async (): Promise<never> => {
      throw new StoreUnavailableError("the store is unavailable");
    };
    [fault, statFault] = [unavailable, unavailable];
    api.lines.length = 0;
    const [response, head] = [await agent.get(pathOf(ready)), await agent.head(pathOf(ready))];
    [fault, statFault] = [null, null];
    expect(head.status).toBe(503);
    expect(head.headers["content-length"]).not.toBe(String(bytes.length));
    expect(response.status).toBe(503);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(response.headers["content-disposition"]).toBeUndefined();
    expect(response.text).not.toContain("the store is unavailable");
    expect(api.lines.filter(({ audit }) => audit === true)).toEqual([]);
    await agent.get(pathOf(ready)).expect(200);
    expect(api.lines.filter(({ audit }) => audit === true)).toMatchObject([{ outcome: "done", status: 200 }]);
  });
});

describe("the legacy download", () => {
  const path = (id: string, reportType = "PROXY") => `/v1/report/download?reportType=${reportType}&id=${id}`;

  test("the legacy download answers 202 with the record of an unfinished report", async () => {
    const id = await started();
    for (const status of ["QUEUED", "RUNNING"]) {
      if (status === "RUNNING")
        await api.reports.claim(id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
      const response = await agent.get(path(id)).set("Accept", "application/pdf");
      expect(response.status).toBe(202);
      expect(response.body).toMatchObject({ id, status });
      expect(response.headers["retry-after"]).toBe("1");
      expect(response.headers["content-disposition"]).toBeUndefined();
      expect((await agent.head(path(id))).status).toBe(202);
    }
  });

  test("the legacy download answers 404 for a failed or cancelled report", async () => {
    const [failed, cancelled] = [await started(), await started()];
    await api.fail(failed);
    await api.reports.cancel(cancelled, "basic:alice");
    const response = await agent.get(path(failed));
    expect(response.status).toBe(404);
    expect(response.body.errors).toEqual([{ code: "INVALID_DATA", message: "A row cannot be shown." }]);
    expect((await agent.get(path(cancelled))).body).toMatchObject({ status: 404, code: "report-cancelled" });
  });

  test("the legacy download answers the same 404 to IDs of another type and unknown IDs", async () => {
    const ofOtherType = await started("PROXY_DOMAIN");
    const ids = [ofOtherType, newId(), "abc", ofOtherType.toUpperCase(), "../../etc/passwd", "%00", "1"];
    const answers = [];
    for (const id of ids) {
      const { status, text, headers } = await agent.get(path(id)).set("X-Request-Id", "the-same-id");
      answers.push({ status, text, headers: { ...headers, date: "" } });
    }
    expect(answers[0]).toMatchObject({ status: 404 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test("the legacy download answers 403 to a caller who has lost the authority", async () => {
    const other = await api.as(["REPORT_PROXY_DOMAIN"]);
    const response = await other.get(path(ready.id));
    expect(response.status).toBe(403);
    expect((await other.get(path(ready.id, "PROXY_DOMAIN"))).status).toBe(404);
  });

  test.each([
    ["id", "/v1/report/download?reportType=PROXY"],
    ["id", "/v1/report/download?reportType=PROXY&id="],
    ["id", "/v1/report/download?reportType=PROXY&id=a&id=b"],
    ["reportType", "/v1/report/download?id=a"],
    ["reportType", "/v1/report/download?reportType=proxy&id=a"],
    ["reportType", "/v1/report/download?reportType=PROXY&reportType=PROXY&id=a"],
  ])("the legacy download answers 400 to a missing or invalid %s: %s", async (parameter, url) => {
    const response = await agent.get(url);
    expect(response.status).toBe(400);
    expect(response.body.errors[0]).toMatchObject({ parameter });
  });

  test("Content-Disposition has a non-ASCII file name in ASCII and in UTF-8", async () => {
    const report = await finished('Прокси "zürich".csv');
    const { headers } = await agent.head(path(report.id));
    expect(headers["content-disposition"]).toBe(
      "attachment; filename=\"______ _zurich_.csv\"; filename*=UTF-8''%D0%9F%D1%80%D0%BE%D0%BA%D1%81%D0%B8%20_z%C3%BCrich_.csv",
    );
  });
});

describe("the download of the REST API", () => {
  test("the REST download answers 404 to unknown files and without the authority", async () => {
    const open = await started();
    const other = await api.as(["REPORT_PROXY_DOMAIN"]);
    expect((await agent.get(`/v1/reports/${open}/files/${newId()}`)).body).toMatchObject({
      status: 404,
      code: "file-not-found",
    });
    expect((await agent.get(`/v1/reports/${ready.id}/files/${newId()}`)).body).toMatchObject({
      status: 404,
      code: "file-not-found",
    });
    expect((await agent.get(`/v1/reports/abc/files/def`)).body).toMatchObject({
      status: 404,
      code: "report-not-found",
    });
    expect((await other.get(paths.REST(ready))).body).toMatchObject({ status: 404, code: "report-not-found" });
  });
});

describe("interrupted downloads", () => {
  // The file is larger than its last block, which the API holds back until the digest is verified. So a part of the file arrives before the
  // interruption.
  const large = { bytes: Buffer.alloc(1_000_000, "n"), id: "" };
  beforeAll(async () => {
    large.id = (await api.succeed(await started(), large.bytes)).id;
  });

  test("the API aborts the connection if the store fails during a download", async () => {
    fault = async (key) => ({ stat: (await api.store.stat(key))!, body: Readable.from(brokenBytes()) });
    await using server = await listening();
    const response = await download(server.port);
    begun.resolve();
    expect(response.statusCode).toBe(200);
    await expect(read(response)).rejects.toThrow(/aborted/);
    fault = null;
    await waitFor(() => api.lines.some(({ msg }) => msg === "response aborted"), {
      what: "the log line of the broken response",
    });
  });

  test("when a downloading caller disconnects, the API closes the store's stream", async () => {
    let body: Readable | undefined;
    fault = async (key) => {
      const stat = (await api.store.stat(key))!;
      body = new Readable({ read() {} });
      body.push(large.bytes.subarray(0, 300_000));
      return { stat, body };
    };
    await using server = await listening();
    const before = api.lines.length;
    const response = await download(server.port);
    response.on("error", () => undefined);
    response.destroy();
    await waitFor(() => body?.destroyed === true, { what: "the store's stream to be closed" });
    expect(body?.readableEnded).toBe(false);
    // The API logs the line of a request last, so an error would already be in the log.
    await waitFor(() => api.lines.slice(before).some(({ msg }) => msg === "request"), { what: "the request's line" });
    expect(api.lines.slice(before).filter(({ level }) => level === "error")).toEqual([]);
    fault = null;
  });

  test("the API closes a store's stream whose caller disconnected while it was opened", async () => {
    const body = new Readable({ read() {} });
    const lines = await leaveWhileOpening(async (key) => ({ stat: (await api.store.stat(key))!, body }));
    await waitFor(() => body.destroyed, { what: "the store's stream to be closed" });
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(lines.find(({ msg }) => msg === "request")).toMatchObject({ status: 499, aborted: true });
  });

  test.each([
    ["an outage", new StoreUnavailableError("MinIO is down."), []],
    ["an unexpected error", new TypeError("A bug."), ["response aborted"]],
  ])(
    "an error after the caller has disconnected is logged only if it is unexpected (%s)",
    async (_, error, expected) => {
      const lines = await leaveWhileOpening(async () => Promise.reject(error));
      expect(lines.filter(({ level }) => level === "error").map(({ msg }) => msg)).toEqual(expected);
    },
  );

  async function leaveWhileOpening(open: FileStore["open"]) {
    const opening = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    fault = async (key, options = {}) => {
      options.signal!.addEventListener("abort", () => left.resolve(), { once: true });
      opening.resolve();
      await left.promise;
      return open(key, options);
    };
    await using server = await listening();
    const before = api.lines.length;
    const headers = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
    const asked = httpRequest({ port: server.port, host: "127.0.0.1", path: paths.legacy(ready), headers });
    asked.on("error", () => undefined).end();
    await opening.promise;
    asked.destroy();
    await waitFor(() => api.lines.slice(before).some(({ msg }) => msg === "request"), { what: "the request's line" });
    fault = null;
    return api.lines.slice(before);
  }

  async function listening() {
    const server = createServer(api.listener).listen(0, "127.0.0.1");
    await waitFor(() => server.listening, { what: "the server to listen" });
    return {
      port: (server.address() as AddressInfo).port,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  async function download(port: number): Promise<IncomingMessage> {
    const headers = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
    return new Promise((resolve, reject) => {
      httpRequest({ port, host: "127.0.0.1", path: paths.legacy(large), headers }, resolve)
        .on("error", reject)
        .end();
    });
  }

  const begun = Promise.withResolvers<void>();
  async function* brokenBytes() {
    yield large.bytes.subarray(0, 600_000);
    await begun.promise;
    throw new Error("the store broke");
  }

  async function read(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
});

function comparable(headers: Record<string, string>) {
  const { date: _, "x-request-id": __, ...rest } = headers;
  return rest;
}
