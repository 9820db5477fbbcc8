import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createTestDatabases, waitFor } from "@reports/testing";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { migrateInNewProcess } from "./migrate-in-new-process.ts";
import { createSourceRestarter } from "./restart-on-change.ts";
import { watchSources } from "./watch-sources.ts";

const root = mkdtempSync(join(tmpdir(), "reports-watch-"));
const source = "apps/api/src/http/accept.ts";
const shared = "packages/core/src/index.ts";
let reported: (readonly string[])[] = [];
let close: () => void = () => undefined;

write(source, "one");
write(shared, "one");
git("init", "--quiet");
git("add", ".");
git("commit", "--quiet", "--message", "one");
write(source, "two");
git("commit", "--quiet", "--all", "--message", "two");
// Times in ms. They are a fifth of the defaults, so that the tests are fast.
close = watchSources(root, (files) => reported.push(files), { intervalMs: 100, quietMs: 20 });

afterAll(() => {
  close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => void (reported = []));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function git(...parameters: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  execFileSync("git", [...identity, ...parameters], { cwd: root });
}

async function nextReport(): Promise<readonly string[]> {
  await waitFor(() => reported.length > 0, { what: "a reported change" });
  const files = reported.flat();
  reported = [];
  return files;
}

describe("ways of saving a file", () => {
  // Ways in which programs save a file. Some replace it by a new file, whose later changes a watcher of the original file would miss.
  const ways: readonly (readonly [string, () => void])[] = [
    ["a write in place", () => write(source, "in place")],
    ["sed -i", () => execFileSync("sed", ["-i", "s/in place/sed/", join(root, source)])],
    ["a second sed -i", () => execFileSync("sed", ["-i", "s/sed/des/", join(root, source)])],
    ["git checkout", () => git("checkout", "--quiet", "HEAD~1", "--", source)],
    [
      "a rename of a file with the same size and mtime",
      () => {
        const temporary = join(root, `${source}.tmp`);
        writeFileSync(temporary, readFileSync(join(root, source), "utf8").toUpperCase());
        utimesSync(temporary, 1, 1);
        renameSync(temporary, join(root, source));
      },
    ],
    ["another write in place", () => write(source, "in place again")],
  ];
  test.each(ways)("watchSources reports a source that was changed by %s", async (_way, save) => {
    save();
    expect(await nextReport()).toEqual([source]);
  });

  test("watchSources reports files of a folder that is deleted and created again", async () => {
    const file = "packages/new/src/deep/er/file.ts";
    write(file, "new");
    expect(await nextReport()).toEqual([file]);
    rmSync(join(root, "packages/new"), { recursive: true });
    expect(await nextReport()).toEqual([file]);
    write(file, "again");
    expect(await nextReport()).toEqual([file]);
    execFileSync("sed", ["-i", "s/again/edited/", join(root, file)]);
    expect(await nextReport()).toEqual([file]);
  });

  test("watchSources reports simultaneous changes together, without tests and temp files", async () => {
    write("apps/api/src/http/accept.test.ts", "a test");
    write("apps/api/src/.accept.ts.swp", "an editor's");
    write("packages/db/migrations/0001_more.sql", "select 1");
    write(shared, "two");
    expect(await nextReport()).toEqual(["packages/core/src/index.ts", "packages/db/migrations/0001_more.sql"]);
  });
});

describe("restarts after a change", () => {
  const done: string[] = [];
  const stopping = new AbortController();
  const restarts = createSourceRestarter({
    programs: ["worker", "api"].map((name) => ({ name, restart: async () => void done.push(`restart ${name}`) })),
    migrate: async () => void done.push("migrate"),
    buildConsole: async () => void done.push("build the console"),
    say: () => undefined,
    signal: stopping.signal,
  });
  test.each([
    ["an app", ["apps/api/src/app.ts"], ["restart api"]],
    ["a package", ["packages/core/src/index.ts"], ["restart worker", "restart api"]],
    [
      "a migration, which is applied first",
      ["packages/db/migrations/1.sql"],
      ["migrate", "restart worker", "restart api"],
    ],
    ["the console, which the API serves", ["apps/console/src/main.tsx"], ["build the console", "restart api"]],
    ["an app that is not started", ["apps/cli/src/main.ts"], []],
  ])(
    "createSourceRestarter, after a change of %s, restarts only the programs that use it",
    async (_what, files, expected) => {
      done.length = 0;
      await restarts(files);
      expect(done).toEqual(expected);
    },
  );

  test("a changed source restarts nothing after `npm start` has begun to stop", async () => {
    done.length = 0;
    stopping.abort();
    await restarts(["packages/db/migrations/2.sql"]);
    expect(done).toEqual([]);
  });
});

test("migrateInNewProcess migrates a database, and prints one line if that is unreachable", async () => {
  await using database = await createTestDatabases({
    migrate: async () => undefined,
    template: "empty",
  }).cloneDatabase();
  const checkout = join(import.meta.dirname, "..", "..");
  const output: string[] = [];
  const migrate = async (url: string) =>
    migrateInNewProcess({
      root: checkout,
      environment: { DATABASE_URL: url },
      signal: new AbortController().signal,
      say: (line) => output.push(line),
    });
  await migrate(database.url);
  await migrate("postgres://nobody:nothing@127.0.0.1:1/none");
  expect(output).toEqual([
    "The database is migrated to the sources.",
    expect.stringMatching(/^The database was not migrated: .+ API and worker start on it as it is;.+$/),
  ]);
});
