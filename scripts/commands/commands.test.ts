import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createDatabase, createUserStore, migrateDatabase } from "@reports/db";
import { createTestDatabases } from "@reports/testing";
import { describe, expect, test, vi } from "vitest";

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

describe.each(["load-inventory", "users", "demo-data"])("%s", (command) => {
  test("a command prints its usage with --help, and exits with 2 on an unknown option", async () => {
    const help = await run(command, ["--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    // The image has load-inventory and users on PATH, and no pnpm. demo-data runs only with pnpm.
    expect(help.out).toContain(command === "demo-data" ? "Usage: pnpm demo-data" : `Usage: ${command} `);
    const wrong = await run(command, ["--no-such-option"]);
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toContain("--help");
    expect(wrong.err).not.toMatch(/^\s+at /m);
  });

  test("a command prints one message if DATABASE_URL is missing or not reachable", async () => {
    const args =
      { "load-inventory": ["--proxies", import.meta.filename], users: ["list"], "demo-data": [] }[command] ?? [];
    const missing = await run(command, args);
    expect(missing).toMatchObject({ code: 2, out: "" });
    expect(missing.err).toContain("DATABASE_URL is not set");
    const unreachable = await run(command, args, { databaseUrl: "postgres://nobody:s3cret-word@127.0.0.1:1/none" });
    expect(unreachable).toMatchObject({ code: 1, out: "" });
    expect(unreachable.err).toContain("The database cannot be used");
    expect(unreachable.err).not.toMatch(/s3cret-word|^\s+at /m);
  });
});

describe("users", () => {
  test("the command users creates, lists, changes and disables users, and sets passwords", async () => {
    await using clone = await databases.cloneDatabase();
    const options = { databaseUrl: clone.url };
    const created = await run("users", ["create", "alice", "--authorities", "REPORT_PROXY"], {
      ...options,
      input: "correct horse battery\n",
    });
    expect(created).toEqual({ code: 0, out: "Created alice with REPORT_PROXY.\n", err: "" });
    const again = await run("users", ["create", "alice", "--generate"], options);
    expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("already a user called alice") });
    const kept = await run("users", ["create", "alice", "--if-missing"], { ...options, input: "another password\n" });
    expect(kept).toEqual({ code: 0, out: "There is already a user called alice; nothing was changed.\n", err: "" });
    const rotated = await run("users", ["rotate-password", "alice", "--generate"], options);
    expect(rotated.out).toMatch(/shown this once: [\w-]{24}\n$/);
    await run("users", ["set-authorities", "alice", "REPORT_PROXY,REGISTRY_READ"], options);
    await run("users", ["disable", "alice"], options);
    const list = await run("users", ["list"], options);
    expect(list.out).toMatch(/^alice\tdisabled\t\d{4}-\d\d-\d\d\tREPORT_PROXY, REGISTRY_READ\n$/);
    const database = createDatabase({ url: clone.url, max: 1 });
    const user = await createUserStore(database).find("alice");
    await database.close();
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
  });

  test("the command users refuses short passwords and unknown users, and changes nothing", async () => {
    await using clone = await databases.cloneDatabase();
    const options = { databaseUrl: clone.url };
    expect(await run("users", ["create", "bob"], { ...options, input: "short\n" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("12 characters"),
    });
    expect(await run("users", ["disable", "bob"], options)).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no user called bob"),
    });
    expect((await run("users", ["list"], options)).out).toBe("There are no users.\n");
  });
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

test("load-inventory loads the csv files that demo-data writes, but not a second time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "demo-data-"));
  try {
    await using clone = await databases.cloneDatabase();
    const options = { databaseUrl: clone.url };
    expect(await run("demo-data", ["--domains", "3000", "--csv", folder])).toMatchObject({ code: 0, err: "" });
    const files = [join(folder, "proxies.csv"), join(folder, "domains.csv")];
    const loaded = await run("load-inventory", files, options);
    expect(loaded).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(/^Loaded 60 proxies and 3000 domains in /),
    });
    const again = await run("load-inventory", files, options);
    expect(again).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/Nothing was loaded: 3120 problems were found, listed above\.\n$/),
    });
    expect(again.err).not.toContain("undefined");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("demo-data adds proxies and domains to an empty database, but not a second time", async () => {
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
});
