import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StoreUnavailableError } from "@reports/core/base";
import { afterAll, describe, expect, it } from "vitest";
import { mountSmallDisk } from "@reports/testing";
import { isDiskFilledByOwnFiles } from "./full-disk.ts";
import { openSpoolFile, toSpoolError } from "./spool-writer.ts";

const mebibyte = 1024 ** 2;
const mounted = mountSmallDisk(8 * mebibyte);
const disk = mounted?.path ?? "";
afterAll(() => mounted?.unmount());

it("isDiskFilledByOwnFiles is true only if other files take nearly no space", () => {
  const full = { usableBytes: 100, availableBytes: 0 };
  expect(isDiskFilledByOwnFiles(full, 100)).toBe(true);
  expect(isDiskFilledByOwnFiles(full, 91)).toBe(true);
  expect(isDiskFilledByOwnFiles(full, 90)).toBe(false);
  expect(isDiskFilledByOwnFiles(full, 10)).toBe(false);
  expect(isDiskFilledByOwnFiles({ usableBytes: 100, availableBytes: 60 }, 10)).toBe(false);
});

describe.skipIf(mounted === null)("on a disk of 8 MiB", () => {
  async function fill(path: string): Promise<unknown> {
    const spool = await openSpoolFile(path, {
      maxBytes: 1024 * mebibyte,
      otherBytes: () => 0,
      signal: new AbortController().signal,
    });
    try {
      for (let count = 0; count < 16; count++) await spool.write(Buffer.alloc(mebibyte));
      await spool.finish();
      return null;
    } catch (error) {
      return error;
    } finally {
      await spool.discard();
    }
  }

  it("a report whose file is larger than the disk fails, and the file is removed", async () => {
    const error = await fill(join(disk, "large"));
    expect(error).toMatchObject({ name: "PermanentReportError", code: "SPOOL_LIMIT_EXCEEDED" });
    expect((error as Error).message).toMatch(/whole disk .*8 MiB.*Narrow/);
    expect(await readdir(disk)).toEqual([]);
  });

  it("a report is retried if other files fill the disk", async () => {
    await writeFile(join(disk, "another"), Buffer.alloc(4 * mebibyte));
    expect(await fill(join(disk, "large"))).toBeInstanceOf(StoreUnavailableError);
    expect(await readdir(disk)).toEqual(["another"]);
  });
});

it.each([
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "EMFILE",
  "ENFILE",
  "EBADF",
  "ESTALE",
])("the error %s of the spool's disk counts as a failure of the host", (code) => {
  const error = Object.assign(new Error("from the system"), { code });
  expect(toSpoolError(error)).toMatchObject({ name: "HostFailureError", part: "spool", cause: error });
});

it.each(["EEXIST", "ERR_INVALID_ARG_TYPE", undefined])(
  "toSpoolError returns the error %s unchanged, because it means a bug",
  (code) => {
    const error = Object.assign(new Error("a bug"), { code });
    expect(toSpoolError(error)).toBe(error);
  },
);
