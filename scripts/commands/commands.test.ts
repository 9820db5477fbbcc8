import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createDatabase, createUserStore, migrateDatabase } from "@reports/db";
import { createTestCaseDivider, createTestDatabases, isFullTestRun } from "@reports/testing";
import { expect, test, vi } from "vitest";

// Timeout in ms. Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const sources: Readonly<Record<string, string>> = {
  users: join(import.meta.dirname, "../../packages/commands/src/users.ts"),
  "load-inventory": join(import.meta.dirname, "../../packages/commands/src/load-inventory.ts"),
  "demo-data": join(import.meta.dirname, "demo-data.ts"),
};

const databases = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function run(command: string, args: readonly string[], options: { databaseUrl?: string; input?: string } = {}) {
  const environment = { ...process.env, DATABASE_URL: options.databaseUrl ?? "", DATABASE_URL_FILE: "" };
  const child = spawn(process.execPath, ["--conditions=@reports/source", sources[command]!, ...args], {
    env: environment,
  });
  child.stdin.end(options.input ?? "");
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exit, out, err };
}

/** The image has load-inventory and users on PATH, and no pnpm. demo-data runs only with pnpm. */
const commands: Readonly<Record<string, { readonly usage: RegExp; readonly args: readonly string[] }>> = {
  "load-inventory": { usage: /^Usage: load-inventory /, args: ["--proxies", import.meta.filename] },
  users: { usage: /^Usage: users /, args: ["list"] },
  "demo-data": { usage: /^Usage: pnpm demo-data/, args: [] },
};
const nothing = /^$/;
const databaseUrl = "postgres://nobody:s3cret-word@127.0.0.1:1/none";

const forNextCommand = createTestCaseDivider();
const uses = Object.entries(commands).flatMap(([command, { usage, args }]) =>
  forNextCommand(
    [
      { command, what: "prints its usage with --help", args: ["--help"], code: 0, out: usage, err: nothing },
      { command, what: "exits with 2 on an unknown option", args: ["--no-such"], code: 2, out: nothing, err: /--help/ },
      { command, what: "needs DATABASE_URL", args, code: 2, out: nothing, err: /DATABASE_URL is not set/ },
      {
        command,
        what: "prints one message if the database is not reachable",
        args,
        options: { databaseUrl },
        code: 1,
        out: nothing,
        err: /The database cannot be used/,
      },
    ],
    3,
  ),
);

test.each(uses)("the command $command $what", async ({ command, args, options, code, out, err }) => {
  const result = await run(command, args, options);
  expect(result).toEqual({ code, out: expect.stringMatching(out), err: expect.stringMatching(err) });
  expect(result.err).not.toMatch(/s3cret-word|^\s+at /m);
});

test("the command users creates, lists, changes and disables users, and sets passwords", async () => {
  await using clone = await databases.cloneDatabase();
  const options = { databaseUrl: clone.url };
  const short = await run("users", ["create", "bob"], { ...options, input: "short\n" });
  expect(short).toMatchObject({ code: 1, err: expect.stringContaining("12 characters") });
  const created = await run("users", ["create", "alice", "--authorities", "REPORT_PROXY"], {
    ...options,
    input: "correct horse battery\n",
  });
  expect(created).toEqual({ code: 0, out: "Created alice with REPORT_PROXY.\n", err: "" });
  const [again, rotated] = await Promise.all([
    run("users", ["create", "alice", "--generate"], options),
    run("users", ["rotate-password", "alice", "--generate"], options),
    run("users", ["set-authorities", "alice", "REPORT_PROXY,REGISTRY_READ"], options),
    run("users", ["disable", "alice"], options),
  ]);
  expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("already a user called alice") });
  expect(rotated.out).toMatch(/shown this once: [\w-]{24}\n$/);
  const list = await run("users", ["list"], options);
  // The refused commands have not added bob.
  expect(list.out).toMatch(/^alice\tdisabled\t\d{4}-\d\d-\d\d\tREPORT_PROXY, REGISTRY_READ\n$/);
  const database = createDatabase({ url: clone.url, max: 1 });
  const user = await createUserStore(database).find("alice");
  await database.close();
  expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
});

// In every run, the test before this one tests other refusals.
test.runIf(isFullTestRun)("the command users names unknown users, and --if-missing changes no user", async () => {
  await using clone = await databases.cloneDatabase();
  const options = { databaseUrl: clone.url };
  const input = "correct horse battery\n";
  const [unknown, empty] = await Promise.all([
    run("users", ["disable", "bob"], options),
    run("users", ["list"], options),
  ]);
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("There is no user called bob") });
  expect(empty).toEqual({ code: 0, out: "There are no users.\n", err: "" });
  await run("users", ["create", "alice", "--authorities", "REPORT_PROXY"], { ...options, input });
  const kept = await run("users", ["create", "alice", "--if-missing"], { ...options, input: "another password\n" });
  expect(kept).toEqual({ code: 0, out: "There is already a user called alice; nothing was changed.\n", err: "" });
});

// packages/runtime/src/require-node.test.ts tests the same check for the commands of the images.
test.each(["api", "worker"])(
  "on an older Node, the %s prints the needed version in one line and exits with 78",
  async (app) => {
    const older = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
    const main = join(import.meta.dirname, "../../apps", app, "src/main.ts");
    const args = ["--import", `data:text/javascript,${older}`, "--conditions=@reports/source", main];
    const child = spawn(process.execPath, args);
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([err, code]).toEqual(["Node 24 or newer is needed, and this is 20.20.2.\n", 78]);
  },
);

const domains = isFullTestRun ? 3_000 : 300;
const problems = domains + 2 * 60;

test("load-inventory loads the csv files that demo-data writes, but not a second time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "demo-data-"));
  try {
    await using clone = await databases.cloneDatabase();
    const options = { databaseUrl: clone.url };
    expect(await run("demo-data", ["--domains", String(domains), "--csv", folder])).toMatchObject({ code: 0, err: "" });
    const files = [join(folder, "proxies.csv"), join(folder, "domains.csv")];
    const loaded = await run("load-inventory", files, options);
    expect(loaded).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(new RegExp(`^Loaded 60 proxies and ${domains} domains in `)),
    });
    const again = await run("load-inventory", files, options);
    expect(again).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        new RegExp(`Nothing was loaded: ${problems} problems were found, listed above\\.\\n$`),
      ),
    });
    expect(again.err).not.toContain("undefined");
  } finally {
    await rm(folder, { recursive: true });
  }
});

// In every run, another test writes the demo data to csv files, and load-inventory refuses to load them twice.
test.runIf(isFullTestRun)(
  "demo-data adds proxies and domains to an empty database, but not a second time",
  async () => {
    await using clone = await databases.cloneDatabase();
    const options = { databaseUrl: clone.url };
    expect(await run("demo-data", ["--domains", "100", "--proxies", "3"], options)).toEqual({
      code: 0,
      out: "Added 3 proxies and 100 domains.\n",
      err: "",
    });
    expect(await run("demo-data", ["--domains", "100", "--proxies", "3"], options)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("Nothing was added"),
    });
  },
);
