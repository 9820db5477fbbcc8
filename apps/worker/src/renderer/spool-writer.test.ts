import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSpoolFile } from "./spool-writer.ts";

test("an abort ends the second read of a spool file, which hashes overwritten bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spool-writer-"));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const controller = new AbortController();
  const { signal } = controller;
  const spool = await openSpoolFile(join(folder, "file"), { maxBytes: 2 ** 30, otherBytes: () => 0, signal });
  await spool.write(Buffer.alloc(8 * 1024 ** 2));
  await spool.overwrite(0, Buffer.from("x"));
  // `finish` checks the signal once for the last write, and then once per block while it reads the file again for its hash.
  let checks = 0;
  signal.throwIfAborted = () => {
    if (++checks === 3) controller.abort(new Error("stopped"));
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  await expect(spool.finish()).rejects.toThrow("stopped");
  expect(checks).toBe(3);
  await spool.discard();
});
