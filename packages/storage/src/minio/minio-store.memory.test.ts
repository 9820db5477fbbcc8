import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { isFullTestRun, startMinio, type MinioServer } from "@reports/testing";
import { afterAll, describe, expect, it } from "vitest";

const minio = await startMinio();
const mib = 1024 * 1024;
const sizeMib = isFullTestRun ? 300 : 110;

describe.skipIf(minio === null)("the MinIO store with large files", () => {
  const server = minio as MinioServer;
  afterAll(async () => minio?.stop());

  it(`put and open of ${sizeMib} MiB need less than 100 MiB of additional memory`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--conditions=@reports/source",
      join(import.meta.dirname, "large-file.fixture.ts"),
      String(sizeMib * mib),
      server.endpoint,
      server.accessKey,
      server.secretKey,
      "large-files",
    ]);
    const result = JSON.parse(stdout) as { growthBytes: number; sha256: string; readSha256: string };
    expect(result.readSha256).toBe(result.sha256);
    expect(result.growthBytes).toBeLessThan(100 * mib);
  }, 120_000);
});
