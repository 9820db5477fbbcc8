import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { StoreMismatchError, StoreUnavailableError, type FileStore, type StoreIdentity } from "@reports/core/base";
import {
  verifySuspiciousFiles,
  verifyFiles,
  type Report,
  type VerifyFilesDeps,
  type VerifyFilesLimits,
} from "@reports/core/report";
import { createDatabase, createSuspiciousFileRecorder, createFileVerificationStore } from "@reports/db";
import type { StoreNotes } from "@reports/storage";
import { afterAll, expect, test } from "vitest";
import { deleteAllRows } from "./delete-all-rows.ts";
import { startWorkerUnderTest } from "./worker-under-test.ts";

const never = new AbortController().signal;
export const fits: StoreIdentity = { assert: async () => undefined };
const everything: VerifyFilesLimits = { digestShare: 1, digestMs: 60_000, maxDamaged: 20 };

type OpenStore = () => Promise<FileStore & StoreNotes>;

async function openVerification(openStore: OpenStore) {
  const files = await openStore();
  await files.create();
  const folder = await mkdtemp(join(tmpdir(), "file-verification-"));
  const worker = await startWorkerUnderTest({ otherOwners: false, wrapDeps: (deps) => ({ ...deps, files }) });
  const database = createDatabase({ url: worker.databaseUrl, max: 2 });
  const verification = createFileVerificationStore(database);
  const observed: string[] = [];
  const deps: VerifyFilesDeps = {
    files,
    identity: fits,
    verdicts: verification,
    published: verification,
    pace: async () => undefined,
    onMismatch: (_, { property }) => void observed.push(`mismatch ${property}`),
    onDamaged: (_, { property }) => void observed.push(`damaged ${property}`),
    onUnreadable: () => void observed.push("unreadable"),
  };
  return {
    ...worker,
    files,
    database,
    observed,
    deps,
    verification,
    note: async (report: Report) => createSuspiciousFileRecorder(database).note(report.id),
    notes: async () => (await worker.sql`select from file_suspicions`).length,
    async succeeded(): Promise<Report> {
      const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
      await worker.run(id);
      return worker.find(id);
    },
    async replace(report: Report, change: (bytes: Buffer) => Buffer = flipFirst): Promise<void> {
      const { storageKey: key } = report.file!;
      const { body } = await files.open(key);
      const bytes = change(Buffer.concat(await body.toArray()));
      const path = join(folder, randomBytes(8).toString("hex"));
      await writeFile(path, bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      await files.put({ key, path, sizeBytes: bytes.length, sha256, contentType: "text/csv" });
    },
    verify: async (changes: Partial<VerifyFilesDeps> = {}, limits = everything) =>
      verifyFiles({ ...deps, ...changes }, limits, never),
    verifySuspicious: async (changes: Partial<VerifyFilesDeps> = {}) =>
      verifySuspiciousFiles({ ...deps, ...changes }, 20, never),
    lastEvent: async (report: Report) => (await worker.reports.listEvents(report.id)).at(-1),
    async clear(): Promise<void> {
      await deleteAllRows(worker.sql, [
        "reports",
        "file_removals",
        "damaged_files",
        "maintenance_turns",
        "maintenance_positions",
      ]);
      const keys: string[] = [];
      for await (const { key } of files.list("reports/")) keys.push(key);
      for (const key of keys) await files.remove(key);
      observed.length = 0;
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await worker[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns a function that opens file verification for one test. All tests of the file use one database and store, which are cleared between them. */
export function shareVerification(openStore: OpenStore) {
  let shared: Awaited<ReturnType<typeof openVerification>> | undefined;
  afterAll(async () => shared?.[Symbol.asyncDispose]());
  return async () => {
    await shared?.clear();
    shared ??= await openVerification(openStore);
    return shared;
  };
}

function flipFirst(bytes: Buffer): Buffer {
  bytes[0]! ^= 1;
  return bytes;
}

/** Declares the tests that every kind of store must pass. */
export function declareFileVerificationTests(open: ReturnType<typeof shareVerification>): void {
  test("verification keeps undamaged files, and a round continues where the last ended", async () => {
    const opened = await open();
    const keys: string[] = [];
    for (let count = 0; count < 12; count++) keys.push((await opened.succeeded()).file!.storageKey);
    const slice = { ...everything, digestShare: 0.9 };
    expect(await opened.verify({}, slice)).toEqual({ digests: 11, damaged: 0, unreadable: 0 });
    expect(await opened.verification.position()).toBe(keys.toSorted()[10]);
    expect(await opened.verify({}, slice)).toMatchObject({ digests: 1 });
    expect(await opened.verification.position()).toBeNull();
    expect(opened.observed).toEqual([]);
  });

  test.each([
    ["shortened", "size", (bytes: Buffer) => bytes.subarray(1)],
    ["lengthened", "size", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")])],
    ["replaced by another of its size", "digest", flipFirst],
  ])("verification expires the record of a file that was %s, and keeps the file", async (_, property, change) => {
    const opened = await open();
    const [damaged, whole] = [await opened.succeeded(), await opened.succeeded()];
    const before = damaged.revision;
    await opened.replace(damaged, change);
    expect(await opened.verify()).toMatchObject({ digests: 2, damaged: 1 });
    expect(opened.observed).toEqual([`mismatch ${property}`, `damaged ${property}`]);
    const ended = await opened.find(damaged.id);
    expect(ended).toMatchObject({ status: "EXPIRED", file: null, progress: { percent: 100 } });
    expect(ended.revision).toBeGreaterThan(before);
    expect(await opened.lastEvent(damaged)).toMatchObject({
      from: "SUCCEEDED",
      to: "EXPIRED",
      because: "FILE_DAMAGED",
    });
    expect((await opened.find(whole.id)).status).toBe("SUCCEEDED");
    const { storageKey } = damaged.file!;
    expect(await opened.files.stat(storageKey)).not.toBeNull();
    // Later rounds skip the file that is known to be damaged.
    expect(await opened.verification.count()).toBe(1);
    expect(await opened.verify()).toMatchObject({ damaged: 0 });
  });

  test("a file that a download reported as suspicious is checked only once", async () => {
    const opened = await open();
    const [damaged, whole] = [await opened.succeeded(), await opened.succeeded()];
    await opened.replace(damaged);
    await opened.note(damaged);
    await opened.note(whole);
    expect(await opened.verifySuspicious()).toBe(1);
    expect((await opened.find(damaged.id)).status).toBe("EXPIRED");
    expect((await opened.find(whole.id)).status).toBe("SUCCEEDED");
    expect(await opened.notes()).toBe(0);
  });

  test("a restored copy with equal bytes is not damage, and its version is recorded", async () => {
    const opened = await open();
    const report = await opened.succeeded();
    const { revision } = report;
    await opened.sql`update reports set file_stored_version = 'before the restore'`;
    await opened.note(report);
    expect(await opened.verifySuspicious()).toBe(0);
    const { version } = (await opened.files.stat(report.file!.storageKey))!;
    expect(await opened.find(report.id)).toMatchObject({
      status: "SUCCEEDED",
      revision,
      file: { storedVersion: version },
    });
    await opened.sql`update reports set file_stored_version = null`;
    await opened.verify();
    expect(await opened.find(report.id)).toMatchObject({ file: { storedVersion: version } });
  });

  test("verification of a store with another store ID expires no record", async () => {
    const opened = await open();
    const report = await opened.succeeded();
    await opened.replace(report);
    await opened.note(report);
    const isAnother = async (): Promise<never> => Promise.reject(new StoreMismatchError("another store"));
    const another: StoreIdentity = { assert: isAnother };
    await expect(opened.verify({ identity: another })).rejects.toBeInstanceOf(StoreMismatchError);
    await expect(opened.verifySuspicious({ identity: another })).rejects.toBeInstanceOf(StoreMismatchError);
    let asked = 0;
    const exchanged: StoreIdentity = { assert: async () => (++asked > 1 ? isAnother() : undefined) };
    await expect(opened.verifySuspicious({ identity: exchanged })).rejects.toBeInstanceOf(StoreMismatchError);
    expect((await opened.find(report.id)).status).toBe("SUCCEEDED");
    expect(await opened.notes()).toBe(1);
  });

  test("after a failed read, the record and its note stay, and other files are checked", async () => {
    const opened = await open();
    const [first, second] = [await opened.succeeded(), await opened.succeeded()];
    await opened.replace(second);
    await opened.note(first);
    await opened.note(second);
    const { storageKey } = first.file!;
    const breaking: VerifyFilesDeps["files"] = {
      ...opened.files,
      open: async (key, options) => {
        if (key === storageKey) throw new StoreUnavailableError("the disk cannot be read here");
        return opened.files.open(key, options);
      },
    };
    expect(await opened.verifySuspicious({ files: breaking })).toBe(1);
    expect(opened.observed).toEqual(["unreadable", "damaged digest"]);
    expect((await opened.find(first.id)).status).toBe("SUCCEEDED");
    expect(await opened.notes()).toBe(1);
    expect(await opened.verifySuspicious()).toBe(0);
    expect(await opened.notes()).toBe(0);
  });

  test("a round after three unreadable files continues after the first two", async () => {
    const opened = await open();
    const keys: string[] = [];
    for (let count = 0; count < 4; count++) keys.push((await opened.succeeded()).file!.storageKey);
    keys.sort();
    const breaking: VerifyFilesDeps["files"] = {
      ...opened.files,
      stat: async (key, options) => {
        if (key !== keys[3]) throw new StoreUnavailableError("the disk cannot be read here");
        return opened.files.stat(key, options);
      },
    };
    await expect(opened.verify({ files: breaking })).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await opened.verification.position()).toBe(keys[1]);
    expect(await opened.verify({ files: breaking })).toMatchObject({ digests: 2, unreadable: 1 });
    expect(await opened.verification.position()).toBeNull();
  });

  test.each([
    ["differs only once", (body: Buffer, read: number) => (read === 1 ? flipFirst(body) : body), []],
    ["differs each time", (body: Buffer, read: number) => Buffer.alloc(body.length, read), ["unreadable"]],
    ["ends early without an error", (body: Buffer) => body.subarray(1), ["unreadable"]],
  ])("a file whose read %s does not count as damaged", async (_, change, observed) => {
    const opened = await open();
    const report = await opened.succeeded();
    await opened.note(report);
    let reads = 0;
    const openChanged: FileStore["open"] = async (key, options) => {
      const { stat, body } = await opened.files.open(key, options);
      return { stat, body: Readable.from([change(Buffer.concat(await body.toArray()), ++reads)]) };
    };
    expect(await opened.verifySuspicious({ files: { ...opened.files, open: openChanged } })).toBe(0);
    expect(opened.observed).toEqual(observed);
    expect((await opened.find(report.id)).status).toBe("SUCCEEDED");
  });

  test("no record expires after 20 damaged files within an hour", async () => {
    const opened = await open();
    const report = await opened.succeeded();
    await opened.replace(report);
    await opened.note(report);
    await opened.sql`
      insert into damaged_files (storage_key, report_id, size_bytes, sha256, property, found)
      select 'key ' || n, gen_random_uuid(), 1, 'digest', 'size', '2' from generate_series(1, 20) n`;
    expect(await opened.verifySuspicious()).toBe(0);
    expect(await opened.verify()).toMatchObject({ damaged: 0 });
    expect((await opened.find(report.id)).status).toBe("SUCCEEDED");
    expect(await opened.notes()).toBe(1);
    await opened.sql`update damaged_files set confirmed_at = now() - interval '61 min' where storage_key = 'key 1'`;
    expect(await opened.verifySuspicious()).toBe(1);
  });

  test("a report that was deleted during the check does not expire", async () => {
    const opened = await open();
    const report = await opened.succeeded();
    await opened.replace(report);
    await opened.note(report);
    const deleting: StoreIdentity = {
      assert: async () => void (await opened.reports.remove(report.id, "basic:alice")),
    };
    expect(await opened.verifySuspicious({ identity: deleting })).toBe(0);
    expect((await opened.lastEvent(report))?.to).toBe("DELETED");
    expect(await opened.sql`select from damaged_files`).toHaveLength(0);
  });

  test("a round of verification ends at the maximum number of damaged files", async () => {
    const opened = await open();
    const keys: string[] = [];
    for (let count = 0; count < 3; count++) {
      const report = await opened.succeeded();
      await opened.replace(report);
      keys.push(report.file!.storageKey);
    }
    expect(await opened.verify({}, { ...everything, maxDamaged: 2 })).toMatchObject({ damaged: 2 });
    expect(await opened.verification.position()).toBe(keys.toSorted()[1]);
    const rows = await opened.sql`select from reports where status = 'SUCCEEDED'`;
    expect(rows).toHaveLength(1);
  });
}
