import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreMismatchError, StoreUnavailableError, type StoreIdRepository } from "@reports/core/base";
import { createDatabase, createStoreIdRepository, migrateDatabase } from "@reports/db";
import { createLogger, newId, type Logger } from "@reports/runtime";
import {
  adoptEmptyStore,
  adoptStore,
  createFileStore,
  createStoreIdentity,
  compareStoreIds,
  storeIdKey,
  type FileStoreOptions,
} from "@reports/storage";
import { createTestDatabases, isFullTestRun, startMinio } from "@reports/testing";
import { afterAll, describe, expect, test } from "vitest";
import { startWorkerUnderTest } from "../test/worker-under-test.ts";

// A store can be adopted automatically only while no record names a file, so the database contains none of other tests.
const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const minio = await startMinio();
const folder = await mkdtemp(join(tmpdir(), "store-identity-"));
afterAll(async () => {
  await minio?.stop();
  await rm(folder, { recursive: true, force: true });
});

const unique = () => randomBytes(6).toString("hex");
const logger = createLogger({ name: "test", level: "debug", destination: { write: () => undefined } });

const kinds: readonly { readonly name: string; readonly choose: () => FileStoreOptions }[] = [
  { name: "folders", choose: () => ({ directory: join(folder, unique()) }) },
  { name: "folders with a prefix", choose: () => ({ directory: join(folder, unique()), prefix: "team-a/production" }) },
  ...(minio === null
    ? []
    : [
        { name: "buckets", choose: () => ({ ...minio, bucket: `b-${unique()}` }) },
        { name: "buckets with a prefix", choose: () => ({ ...minio, bucket: `b-${unique()}`, prefix: "production" }) },
      ]),
];

async function deployment(databaseUrl?: string, log: Logger = logger) {
  const clone = databaseUrl === undefined ? await databases.cloneDatabase() : undefined;
  const database = createDatabase({ url: databaseUrl ?? clone!.url });
  const record = createStoreIdRepository(database);
  return {
    url: databaseUrl ?? clone!.url,
    record,
    seeing: async (choice: FileStoreOptions) => seeing(record, choice, log),
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone?.[Symbol.asyncDispose]();
    },
  };
}

async function seeing(record: StoreIdRepository, choice: FileStoreOptions, log: Logger) {
  const store = await createFileStore(choice);
  const deps = { store, record, newId };
  const identity = createStoreIdentity({ store, record, logger: log, checkTimeoutMs: 60_000 });
  return {
    store,
    identity,
    adoptEmpty: async () => adoptEmptyStore(deps),
    adopt: async (force = false) => adoptStore(deps, { force }),
    describe: async () => compareStoreIds(deps),
    async state() {
      await identity.assert().catch(() => undefined);
      return identity.state();
    },
  };
}

async function withReport(choice: FileStoreOptions) {
  const store = await createFileStore(choice);
  const worker = await startWorkerUnderTest({ otherOwners: false, wrapDeps: (deps) => ({ ...deps, files: store }) });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
  await store.create();
  expect(await worker.run(id)).toMatchObject({ kind: "succeeded" });
  await worker.sql`delete from store_markers`;
  const under = await deployment(worker.databaseUrl);
  return {
    ...under,
    async [Symbol.asyncDispose]() {
      await under[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
    },
  };
}

const shortRun = ["folders", minio === null ? "folders with a prefix" : "buckets with a prefix"];
const testedKinds = isFullTestRun ? kinds : kinds.filter(({ name }) => shortRun.includes(name));

describe.each(testedKinds)("stores of the kind: $name", ({ choose }) => {
  test("a new deployment adopts its empty store once", async () => {
    await using under = await deployment();
    const process = await under.seeing(choose());
    await expect(process.identity.assert()).rejects.toBeInstanceOf(StoreMismatchError);
    expect(await process.adoptEmpty()).toBe(true);
    await process.identity.assert();
    expect(await process.adoptEmpty()).toBe(false);
    expect(await process.store.readNote(storeIdKey)).toBe((await under.record.read())!.id);
    expect(await under.record.read()).toMatchObject({ adopted: true });
  });

  test("the state of a missing, empty or foreign store is mismatch, of the right one ok", async () => {
    await using under = await deployment();
    await using other = await deployment();
    const right = choose();
    await (await under.seeing(right)).adoptEmpty();
    const absent = choose();
    expect(await (await under.seeing(absent)).state()).toBe("mismatch");
    const empty = choose();
    await (await createFileStore(empty)).create();
    expect(await (await under.seeing(empty)).state()).toBe("mismatch");
    const foreign = choose();
    await (await other.seeing(foreign)).adoptEmpty();
    expect(await (await under.seeing(foreign)).state()).toBe("mismatch");
    // The deployment has its store, so it adopts none of these and does not create the missing one.
    for (const choice of [absent, empty, foreign]) {
      expect(await (await under.seeing(choice)).adoptEmpty()).toBe(false);
      expect(await (await under.seeing(choice)).state()).toBe("mismatch");
    }
    await expect((await createFileStore(absent)).check()).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await (await under.seeing(right)).state()).toBe("ok");
    expect(await (await other.seeing(foreign)).state()).toBe("ok");
  });

  test("after another store was adopted, the next full check finds a mismatch", async () => {
    await using under = await deployment();
    const before = await under.seeing(choose());
    await before.adoptEmpty();
    await before.identity.assert();
    await before.identity.assert({ glance: true });
    expect(await (await under.seeing(choose())).adopt(true)).toEqual({ kind: "adopted" });
    await before.identity.assert({ glance: true }).catch(() => undefined);
    await expect(before.identity.assert()).rejects.toBeInstanceOf(StoreMismatchError);
    await expect(before.identity.assert({ glance: true })).rejects.toBeInstanceOf(StoreMismatchError);
  });

  test("a quick check immediately notices that the store ID is gone", async () => {
    await using under = await deployment();
    const process = await under.seeing(choose());
    await process.adoptEmpty();
    for (const glance of [false, true, true]) await process.identity.assert({ glance });
    await process.store.remove(storeIdKey);
    await expect(process.identity.assert({ glance: true })).rejects.toBeInstanceOf(StoreMismatchError);
  });

  test("readId returns the store ID, and rejects while the store has none", async () => {
    await using under = await deployment();
    const process = await under.seeing(choose());
    await expect(process.identity.readId()).rejects.toBeInstanceOf(StoreMismatchError);
    await process.adoptEmpty();
    const { id } = (await under.record.read())!;
    for (let time = 1; time <= 2; time++) expect(await process.identity.readId()).toBe(id);
    await (await under.seeing(choose())).adopt(true);
    expect(await process.identity.readId()).toBe(id);
    await process.store.remove(storeIdKey);
    await expect(process.identity.readId()).rejects.toBeInstanceOf(StoreMismatchError);
    expect(process.identity.state()).toBe("mismatch");
  });

  test("after a failed check, a process that adopts the store uses it immediately", async () => {
    await using under = await deployment();
    const process = await under.seeing(choose());
    await expect(process.identity.assert()).rejects.toBeInstanceOf(StoreMismatchError);
    await process.adoptEmpty();
    await process.identity.assert({ maxAgeMs: 5_000 });
  });

  test("processes that start at the same time adopt one store ID", async () => {
    await using under = await deployment();
    const choice = choose();
    const processes = await Promise.all(Array.from({ length: 8 }, async () => under.seeing(choice)));
    const outcomes = await Promise.allSettled(processes.map(async (process) => process.adoptEmpty()));
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value)).toHaveLength(1);
    for (const process of processes) expect(await process.state()).toBe("ok");
  });

  test("processes that start with different stores adopt only one of them", async () => {
    await using under = await deployment();
    const processes = await Promise.all(Array.from({ length: 6 }, async () => under.seeing(choose())));
    await Promise.allSettled(processes.map(async (process) => process.adoptEmpty()));
    const states = await Promise.all(processes.map(async (process) => process.state()));
    expect(states.toSorted()).toEqual([...Array.from({ length: 5 }, () => "mismatch"), "ok"]);
  });

  test("an adoption reuses the ID of an earlier one that stopped before its first write", async () => {
    await using under = await deployment();
    const id = newId();
    await under.record.propose(id);
    const process = await under.seeing(choose());
    expect(await process.state()).toBe("mismatch");
    expect(await process.adoptEmpty()).toBe(true);
    expect(await process.store.readNote(storeIdKey)).toBe(id);
    expect(await process.state()).toBe("ok");
  });

  test("an adoption finishes an earlier one whose end the database did not record", async () => {
    await using under = await deployment();
    const id = newId();
    await under.record.propose(id);
    const process = await under.seeing(choose());
    await process.store.create();
    await process.store.writeNote(storeIdKey, id);
    expect(await process.state()).toBe("ok");
    expect(await process.adoptEmpty()).toBe(true);
    expect(await under.record.read()).toEqual({ id, adopted: true });
  });

  test("an adoption of a store whose write failed can be repeated", async () => {
    await using under = await deployment();
    const process = await under.seeing(choose());
    await under.record.propose(newId());
    const failure = new StoreUnavailableError("the store broke");
    await expect(under.record.adopt(async () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await under.record.read()).toMatchObject({ adopted: false });
    expect(await process.adoptEmpty()).toBe(true);
  });

  test("a store that is not empty is not adopted automatically", async () => {
    await using under = await deployment();
    const process = await under.seeing(choose());
    await process.store.create();
    await process.store.writeNote("something", "of somebody");
    expect(await process.adoptEmpty()).toBe(false);
    expect(await under.record.read()).toBeNull();
    expect(await process.state()).toBe("mismatch");
  });

  test("if records name files, only an operator can adopt a store", async () => {
    const right = choose();
    await using under = await withReport(right);
    const wrong = await under.seeing(choose());
    expect(await wrong.adoptEmpty()).toBe(false);
    expect(await (await under.seeing(right)).adoptEmpty()).toBe(false);
    expect(await under.record.read()).toBeNull();
    expect(await wrong.adopt()).toEqual({ kind: "no-files", sampled: 1 });
    expect(await under.record.read()).toBeNull();
    expect(await (await under.seeing(right)).describe()).toEqual({
      database: null,
      store: null,
      sampled: 1,
      found: 1,
    });
    expect(await (await under.seeing(right)).adopt()).toEqual({ kind: "adopted" });
    expect(await (await under.seeing(right)).state()).toBe("ok");
    expect(await (await under.seeing(right)).adopt()).toEqual({ kind: "known" });
    expect(await wrong.state()).toBe("mismatch");
  });

  test("with force, an operator can adopt an empty store instead of the current one", async () => {
    const right = choose();
    await using under = await withReport(right);
    await (await under.seeing(right)).adopt();
    const fresh = await under.seeing(choose());
    expect(await fresh.describe()).toMatchObject({ store: null, sampled: 1, found: 0 });
    expect(await fresh.adopt()).toMatchObject({ kind: "no-files" });
    expect(await fresh.adopt(true)).toEqual({ kind: "adopted" });
    expect(await fresh.state()).toBe("ok");
    expect(await (await under.seeing(right)).state()).toBe("mismatch");
  });

  test("only force adopts the store of another database", async () => {
    await using owner = await deployment();
    await using under = await deployment();
    const choice = choose();
    await (await owner.seeing(choice)).adoptEmpty();
    expect(await (await under.seeing(choice)).adopt()).toEqual({ kind: "foreign" });
    expect(await (await owner.seeing(choice)).state()).toBe("ok");
    expect(await (await under.seeing(choice)).adopt(true)).toEqual({ kind: "adopted" });
    expect(await (await under.seeing(choice)).state()).toBe("ok");
    expect(await (await owner.seeing(choice)).state()).toBe("mismatch");
  });
});

test("an adoption whose store is not writable keeps the current store", async () => {
  await using under = await deployment();
  const right = await under.seeing({ directory: join(folder, unique()) });
  await right.adoptEmpty();
  const before = await under.record.read();
  const failure = new StoreUnavailableError("it refused the credentials");
  const readOnly = {
    ...(await createFileStore({ directory: join(folder, unique()) })),
    writeNote: async () => Promise.reject(failure),
  };
  const deps = { store: readOnly, record: under.record, newId };
  await expect(adoptStore(deps, { force: false })).rejects.toBe(failure);
  expect(await under.record.read()).toEqual(before);
  expect(await right.state()).toBe("ok");
  await using fresh = await deployment();
  await expect(adoptStore({ ...deps, record: fresh.record }, { force: true })).rejects.toBe(failure);
  expect(await fresh.record.read()).toBeNull();
});

test("an adoption that another adoption overtakes reports it and changes nothing", async () => {
  await using under = await deployment();
  const other = await under.seeing({ directory: join(folder, unique()) });
  const store = await createFileStore({ directory: join(folder, unique()) });
  const record: StoreIdRepository = {
    ...under.record,
    latestNamed: async (limit) => {
      await other.adoptEmpty();
      return under.record.latestNamed(limit);
    },
  };
  expect(await adoptStore({ store, record, newId }, { force: false })).toEqual({ kind: "overtaken" });
  expect(await other.state()).toBe("ok");
  expect(await store.readNote(storeIdKey)).toBeNull();
});

test("a store without an ID is logged as a warning, another store's ID as an error", async () => {
  const lines: string[] = [];
  const log = createLogger({ name: "test", level: "debug", destination: { write: (line) => void lines.push(line) } });
  const loggedLines = () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
  await using under = await deployment(undefined, log);
  const directory = join(folder, unique());
  const process = await under.seeing({ directory });
  expect(await process.state()).toBe("mismatch");
  await under.record.propose(newId());
  expect(await process.state()).toBe("mismatch");
  const [line, ...more] = loggedLines();
  expect(line).toMatchObject({ level: "warn", msg: "no file store has been adopted yet" });
  expect([more, JSON.stringify(line)]).toEqual([[], expect.not.stringContaining("stack")]);
  await mkdir(directory);
  await writeFile(join(directory, storeIdKey), newId());
  expect(await process.state()).toBe("mismatch");
  expect(loggedLines()).toMatchObject([{ level: "error", error: { stack: expect.any(String) } }]);
  await rm(join(directory, storeIdKey));
  await process.adoptEmpty();
  expect(await process.state()).toBe("ok");
  expect(loggedLines()).toMatchObject([{ level: "info", msg: "file store matches the database" }]);
});

test("two deployments share one folder under different prefixes", async () => {
  await using one = await deployment();
  await using two = await deployment();
  const directory = join(folder, unique());
  const [a, b] = [await one.seeing({ directory, prefix: "a" }), await two.seeing({ directory, prefix: "b" })];
  expect([await a.adoptEmpty(), await b.adoptEmpty()]).toEqual([true, true]);
  expect([await a.state(), await b.state()]).toEqual(["ok", "ok"]);
  expect(await (await one.seeing({ directory, prefix: "b" })).state()).toBe("mismatch");
});

test("the next check notices that the store's folder was swapped, or is back", async () => {
  await using under = await deployment();
  const directory = join(folder, unique());
  const process = await under.seeing({ directory });
  await process.adoptEmpty();
  await process.identity.assert();
  await rename(directory, `${directory}-unmounted`);
  await process.identity.assert({ maxAgeMs: 60_000 });
  await expect(process.identity.assert()).rejects.toThrow(/holds no marker/);
  // The failed check is the newest result, so it also counts for callers that accept results of a minute ago.
  await expect(process.identity.assert({ maxAgeMs: 60_000 })).rejects.toBeInstanceOf(StoreMismatchError);
  await mkdir(directory);
  expect(await process.state()).toBe("mismatch");
  await rm(directory, { recursive: true });
  await rename(`${directory}-unmounted`, directory);
  await process.identity.assert();
  expect(process.identity.state()).toBe("ok");
});

test("a store ID that was shortened or overwritten is a mismatch", async () => {
  await using under = await deployment();
  const directory = join(folder, unique());
  const process = await under.seeing({ directory });
  await process.adoptEmpty();
  for (const text of ["", "nonsense", (await under.record.read())!.id.slice(1)]) {
    await writeFile(join(directory, storeIdKey), text);
    expect(await process.state()).toBe("mismatch");
  }
});

test("a store or database that does not respond is unavailable, not a mismatch", async () => {
  await using under = await deployment();
  const never = new Promise<never>(() => undefined);
  const hanging = createStoreIdentity({
    store: { readNote: async () => never },
    record: under.record,
    logger,
    checkTimeoutMs: 50,
  });
  const failure: unknown = await hanging.assert().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreUnavailableError);
  expect(failure).not.toBeInstanceOf(StoreMismatchError);
  expect(hanging.state()).toBe("unavailable");
  const reason = new Error("the caller left");
  const controller = new AbortController();
  const waiting = hanging.assert({ signal: controller.signal });
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);

  await using nowhere = await deployment("postgres://nobody@127.0.0.1:1/nothing");
  const cutOff = await nowhere.seeing({ directory: join(folder, unique()) });
  expect(await cutOff.state()).toBe("unavailable");
  await expect(cutOff.adoptEmpty()).rejects.toBeInstanceOf(StoreUnavailableError);
});
