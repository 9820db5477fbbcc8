import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileStore } from "@reports/core/base";
import { createFileSystemStore } from "@reports/storage";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest } from "../test/api-under-test.ts";

test("while the file store's folder hangs, downloads get 503 and other requests work", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hanging-store-"));
  const store = createFileSystemStore({ directory });
  let opened = 0;
  const open: FileStore["open"] = async (...given) => {
    opened += 1;
    return store.open(...given);
  };
  await using api = await startApiUnderTest({ store: { ...store, open } });
  await api.addUser("operator", "correct horse", ["REGISTRY_READ"]);
  const caller = await api.as([...builtInReportAuthorities, "REGISTRY_READ"]);
  const finish = async (title: string) => {
    const { body } = await caller.post("/v1/reports").send({ reportType: "PROXY", format: "csv", title }).expect(202);
    const { id, file } = await api.succeed(body.id as string, title);
    return { url: `/v1/reports/${id}/files/${file!.id}`, title, path: join(directory, file!.storageKey) };
  };
  // File system calls run in libuv's thread pool. There are more downloads than threads in the pool, so every thread hangs.
  const files = await Promise.all(Array.from({ length: 6 }, async (_, index) => finish(`Report ${index}`)));

  // Opening a named pipe blocks until a writer opens it, like a file on a network file system whose server hangs.
  for (const { path } of files) await rename(path, `${path}.stored`);
  execFileSync(
    "mkfifo",
    files.map(({ path }) => path),
  );
  const downloads = Promise.all(files.map(async ({ url }) => caller.get(url)));
  try {
    await waitFor(() => opened === files.length, { what: "every download opening its file" });
    await caller.get("/v1/proxies").expect(200);
    await api.anonymous().get("/v1/callers").auth("operator", "correct horse").expect(200);
    await api.anonymous().get("/health/ready").expect(200);
    expect((await downloads).map(({ status }) => status)).toEqual(files.map(() => 503));
  } finally {
    for (const { path } of files) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  }
  for (const { path, url, title } of files) {
    await rename(`${path}.stored`, path);
    // Each hanging call keeps its thread until the call ends, so the first downloads after the outage may still fail.
    await waitFor(async () => (await caller.get(url)).text === title, { what: `the file of ${title}` });
  }
  await rm(directory, { recursive: true });
});
