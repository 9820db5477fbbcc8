import { execFileSync } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Retry } from "./call-options.ts";
import { ReportFailedError } from "./errors.ts";
import { createTestGateway } from "./test/gateway-under-test.ts";
import { sendTestProblem, startTestResponseServer } from "./test/start-test-response-server.ts";
import { createTestReportWithFile, sendTestDownload, createTestBytes } from "./test/serve-file.ts";

const bytes = createTestBytes(200_000);
const report = createTestReportWithFile(bytes);
let parent: string;
let folder: string;
let path: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "client-download-"));
});
beforeEach(async () => {
  folder = await mkdtemp(join(parent, "test-"));
  path = join(folder, "report.csv");
});
afterAll(async () => rm(parent, { recursive: true }));

const ranges = (seen: readonly { readonly headers: { readonly range?: string | undefined } }[]) =>
  seen.map(({ headers }) => headers.range);

/** Compares as a boolean, because a failed comparison of the buffers would print 200,000 numbers. */
const equalsFile = (received: Buffer): boolean => received.equals(bytes);

function collect() {
  const pieces: Uint8Array[] = [];
  const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) });
  return { stream, bytes: () => Buffer.concat(pieces) };
}

describe("a download to a path", () => {
  test("a download writes the whole file under its name and leaves no .part file", async () => {
    const names: string[][] = [];
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, bytes),
    );
    const progress: number[] = [];
    await createTestGateway(server.baseUrl).reports.download(report, path, {
      onProgress: ({ bytesDone, bytesTotal }) => {
        progress.push(bytesDone);
        expect(bytesTotal).toBe(bytes.length);
      },
    });
    names.push(await readdir(folder));
    expect(names).toEqual([["report.csv"]]);
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(progress.at(-1)).toBe(bytes.length);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(server.seen[0]).toMatchObject({ url: "/v1/reports/r/files/f", headers: { "accept-encoding": "identity" } });
  });

  test("a download to a file: URL replaces an older file and an older .part file", async () => {
    await writeFile(path, "older");
    await writeFile(`${path}.part`, Buffer.alloc(300_000));
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, bytes),
    );
    await createTestGateway(server.baseUrl).reports.download(report, pathToFileURL(path));
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(await readdir(folder)).toEqual(["report.csv"]);
  });

  test("a download resumes after each of twenty broken connections", async () => {
    await using server = await startTestResponseServer((response, request, count) =>
      sendTestDownload(response, request, bytes, count <= 20 ? { cutAfter: 7_000 } : {}),
    );
    const numbers = new Set<number>();
    const onRetry = ({ number }: Retry): void => void numbers.add(number);
    await createTestGateway(server.baseUrl).reports.download(report, path, { onRetry });
    expect([...numbers]).toEqual([1]);
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(ranges(server.seen).slice(0, 3)).toEqual([undefined, "bytes=7000-", "bytes=14000-"]);
    expect(server.seen).toHaveLength(21);
    expect(server.seen[1]!.headers["if-range"]).toBe('"v1"');
  });

  test("a download fails after eight retries without progress and leaves no .part file", async () => {
    await using server = await startTestResponseServer((response, request, count) =>
      count === 1 ? sendTestDownload(response, request, bytes, { cutAfter: 7_000 }) : response.destroy(),
    );
    const download = createTestGateway(server.baseUrl).reports.download(report, path);
    await expect(download).rejects.toMatchObject({ code: "unreachable" });
    expect(server.seen).toHaveLength(9);
    expect(await readdir(folder)).toEqual([]);
  });

  test("without Range support, a download fails after eight retries that get no further", async () => {
    await using server = await startTestResponseServer((response, _request, count) =>
      sendTestDownload(response, { headers: {} }, bytes, { cutAfter: count === 1 ? 7_000 : 6_000 }),
    );
    const download = createTestGateway(server.baseUrl).reports.download(report, path);
    await expect(download).rejects.toMatchObject({ code: "unreachable" });
    expect(server.seen).toHaveLength(9);
  });

  const other = createTestBytes(bytes.length, 2);
  test.each<[string, Parameters<typeof startTestResponseServer>[0]]>([
    ["a response with the whole file", (response) => sendTestDownload(response, { headers: {} }, bytes)],
    [
      "a response with the whole of another version",
      (response) => sendTestDownload(response, { headers: {} }, bytes, { etag: '"v2"' }),
    ],
    [
      "a part at another offset",
      (response) =>
        response
          .writeHead(206, { ETag: '"v1"', "Content-Range": `bytes 6999-199999/200000` })
          .end(bytes.subarray(6_999)),
    ],
    [
      "a part of another version",
      (response) =>
        response
          .writeHead(206, { ETag: '"v2"', "Content-Range": `bytes 7000-199999/200000` })
          .end(other.subarray(7_000)),
    ],
    [
      "a part of a file of another size",
      (response) =>
        response
          .writeHead(206, { ETag: '"v1"', "Content-Range": `bytes 7000-199999/200001` })
          .end(bytes.subarray(7_000)),
    ],
    ["a response with 416", (response) => response.writeHead(416).end()],
  ])("a resumed download starts over after %s", async (_, answerRest) => {
    await using server = await startTestResponseServer((response, request, count) => {
      if (count === 1) sendTestDownload(response, request, bytes, { cutAfter: 7_000 });
      else if (count === 2) answerRest(response, request, count);
      else sendTestDownload(response, request, bytes, { etag: '"v2"' });
    });
    await createTestGateway(server.baseUrl).reports.download(report, path);
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(ranges(server.seen).slice(1)).toEqual(
      server.seen.length === 2 ? ["bytes=7000-"] : ["bytes=7000-", undefined],
    );
  });

  test("a download without a strong entity tag starts over after a broken connection", async () => {
    await using server = await startTestResponseServer((response, request, count) =>
      sendTestDownload(response, request, bytes, count === 1 ? { etag: 'W/"v1"', cutAfter: 7_000 } : {}),
    );
    await createTestGateway(server.baseUrl).reports.download(report, path);
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(ranges(server.seen)).toEqual([undefined, undefined]);
  });

  test("a download whose bytes differ from the record fails and leaves no .part file", async () => {
    await writeFile(path, "older");
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, other),
    );
    const download = createTestGateway(server.baseUrl).reports.download(report, path);
    await expect(download).rejects.toMatchObject({
      code: "wrong-file",
      message: "The file that was downloaded does not have the SHA-256 of its record.",
    });
    expect(server.seen).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe("older");
    expect(await readdir(folder)).toEqual(["report.csv"]);
  });

  test("a download with more bytes than its record fails", async () => {
    const longer = Buffer.concat([bytes, Buffer.from("x")]);
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, longer),
    );
    const download = createTestGateway(server.baseUrl).reports.download(report, path);
    await expect(download).rejects.toMatchObject({ code: "wrong-file" });
    expect(await readdir(folder)).toEqual([]);
  });

  test("a download that the gateway refuses fails without a retry", async () => {
    await using server = await startTestResponseServer((response) => sendTestProblem(response, 410, "report-expired"));
    const download = createTestGateway(server.baseUrl).reports.download(report, path);
    await expect(download).rejects.toMatchObject({ status: 410, code: "report-expired" });
    expect(server.seen).toHaveLength(1);
  });

  test("an aborted download rejects with the signal's reason and leaves no .part file", async () => {
    const controller = new AbortController();
    const reason = new Error("The caller left.");
    await using server = await startTestResponseServer((response) => {
      response.writeHead(200, { "Content-Length": bytes.length, ETag: '"v1"' }).write(bytes.subarray(0, 7_000));
    });
    const download = createTestGateway(server.baseUrl).reports.download(report, path, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(download).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });

  test("a download to a missing folder fails before it sends a request", async () => {
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, bytes),
    );
    const download = createTestGateway(server.baseUrl).reports.download(report, join(folder, "missing", "report.csv"));
    await expect(download).rejects.toMatchObject({ code: "ENOENT" });
    expect(server.seen).toHaveLength(0);
  });

  test("a download works with a fetch that returns another kind of stream", async () => {
    await using server = await startTestResponseServer((response, request, count) =>
      sendTestDownload(response, request, bytes, count === 1 ? { cutAfter: 7_000 } : {}),
    );
    const own: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      return new Response(answer.body!.pipeThrough(new TransformStream()), answer);
    };
    await createTestGateway(server.baseUrl, { fetch: own }).reports.download(report, path);
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(ranges(server.seen)).toEqual([undefined, "bytes=7000-"]);
  });

  test("a download to a folder or a pipe fails before a request and changes nothing", async () => {
    execFileSync("mkfifo", [path]);
    await mkdir(join(folder, "folder"));
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, bytes),
    );
    const { reports } = createTestGateway(server.baseUrl);
    await symlink(path, join(folder, "link"));
    for (const target of [path, join(folder, "link"), join(folder, "folder")])
      await expect(reports.download(report, target)).rejects.toThrow(
        "is not a regular file, and is not replaced by one",
      );
    expect((await lstat(path)).isFIFO()).toBe(true);
    expect(server.seen).toHaveLength(0);
  });

  test("a download follows a link at its path, but not a link at its .part path", async () => {
    const [aim, victim, link] = [join(folder, "aim"), join(folder, "victim"), join(folder, "link")];
    await writeFile(aim, "older");
    await writeFile(victim, "another's");
    await symlink(aim, link);
    await symlink(victim, `${aim}.part`);
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, bytes),
    );
    await createTestGateway(server.baseUrl).reports.download(report, link);
    expect(equalsFile(await readFile(aim))).toBe(true);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(victim, "utf8")).toBe("another's");
  });

  test("if two downloads write to one path, the last to finish fails and no bytes mix", async () => {
    const first = Promise.withResolvers<ServerResponse>();
    await using server = await startTestResponseServer((response, request, count) => {
      if (count > 1) return sendTestDownload(response, request, bytes);
      response.writeHead(200, { "Content-Length": bytes.length, ETag: '"v1"' });
      response.write(other.subarray(0, 100_000), () => first.resolve(response));
    });
    const { reports } = createTestGateway(server.baseUrl);
    const begun = Promise.withResolvers<void>();
    const slow = reports.download(createTestReportWithFile(other), path, { onProgress: () => begun.resolve() });
    slow.catch(() => undefined);
    await begun.promise;
    await reports.download(report, path);
    (await first.promise).end(other.subarray(100_000));
    await expect(slow).rejects.toThrow("Another download writes to");
    expect(equalsFile(await readFile(path))).toBe(true);
    expect(await readdir(folder)).toEqual(["report.csv"]);
  });

  test("a download of zero bytes creates an empty file", async () => {
    const empty = Buffer.alloc(0);
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, empty),
    );
    await createTestGateway(server.baseUrl).reports.download(createTestReportWithFile(empty), path);
    expect(await readFile(path)).toEqual(empty);
  });
});

describe("a download to a stream", () => {
  test("a download to a stream resumes after broken connections and closes the stream", async () => {
    const { stream, bytes: received } = collect();
    await using server = await startTestResponseServer((response, request, count) =>
      sendTestDownload(response, request, bytes, count <= 3 ? { cutAfter: 7_000 } : {}),
    );
    await createTestGateway(server.baseUrl).reports.download(report, stream);
    expect(equalsFile(received())).toBe(true);
    await expect(stream.getWriter().closed).resolves.toBeUndefined();
  });

  test("a download to a stream skips bytes that the server sends again", async () => {
    const { stream, bytes: received } = collect();
    await using server = await startTestResponseServer((response, _request, count) =>
      sendTestDownload(response, { headers: {} }, bytes, count === 1 ? { cutAfter: 7_000 } : {}),
    );
    await createTestGateway(server.baseUrl).reports.download(report, stream);
    expect(equalsFile(received())).toBe(true);
  });

  test.each([
    ["the resumed file has another version", { etag: '"v2"' }, bytes, "has changed meanwhile"],
    ["the bytes differ from the record", {}, createTestBytes(bytes.length, 2), "does not have the SHA-256"],
  ])("a download aborts its stream when %s", async (_, later, sent, message) => {
    let reason: unknown;
    const stream = new WritableStream<Uint8Array>({ abort: (given) => void (reason = given) });
    await using server = await startTestResponseServer((response, request, count) =>
      sendTestDownload(response, request, sent, count === 1 ? { cutAfter: 7_000 } : later),
    );
    const download = createTestGateway(server.baseUrl).reports.download(report, stream);
    await expect(download).rejects.toThrow(message);
    expect(reason).toMatchObject({ code: "wrong-file" });
  });

  test("a write error of the caller's stream rejects the download with the same reason", async () => {
    const reason = new Error("The disk is full.");
    const stream = new WritableStream<Uint8Array>({ write: async () => Promise.reject(reason) });
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response, request, bytes),
    );
    await expect(createTestGateway(server.baseUrl).reports.download(report, stream)).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });
});

test("the caller's signal ends a download to a stream that no longer takes bytes", async () => {
  const controller = new AbortController();
  const reason = new Error("The caller left.");
  const stream = new WritableStream<Uint8Array>({
    write() {
      controller.abort(reason);
      return new Promise(() => undefined);
    },
  });
  await using server = await startTestResponseServer((response, request) => sendTestDownload(response, request, bytes));
  const download = createTestGateway(server.baseUrl).reports.download(report, stream, { signal: controller.signal });
  await expect(download).rejects.toBe(reason);
});

describe("a report without a file", () => {
  test.each(["FAILED", "CANCELLED", "EXPIRED"])(
    "a download of a report that is %s rejects with a ReportFailedError",
    async (status) => {
      const error = status === "FAILED" ? { code: "INVALID_DATA", detail: "A row is wrong.", retryable: false } : null;
      const ended = { ...report, status, file: null, error };
      const download = createTestGateway("http://localhost:1").reports.download(ended, path);
      await expect(download).rejects.toBeInstanceOf(ReportFailedError);
      await expect(download).rejects.toMatchObject({ report: ended, error });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test("a download of an unfinished report rejects with an error that says to wait", async () => {
    const open = { ...report, status: "RUNNING", finishedAt: null, file: null };
    await expect(createTestGateway("http://localhost:1").reports.download(open, path)).rejects.toThrow(
      "The report r is RUNNING and has no file yet: wait for it first.",
    );
  });
});
