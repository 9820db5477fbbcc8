import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { hashPassword, reportTypeAuthorities } from "@reports/auth";
import { builtInReportTypes } from "@reports/core";
import { copyInventory, createDatabase, createUserStore } from "@reports/db";
import {
  findFreePort,
  generateDemoInventory,
  startMinio,
  startPostgres,
  waitFor,
  type MinioServer,
  type PostgresServer,
} from "@reports/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  builtRevision,
  buildByDockerfile,
  commandOf,
  runDeployed,
  type DeployedProcess,
} from "./deployed-processes.ts";

const minio = await startMinio();

const password = randomBytes(12).toString("hex");
const credentials = `Basic ${Buffer.from(`reader:${password}`).toString("base64")}`;
const folder = mkdtempSync(join(tmpdir(), "reports-deployed-"));
const running: DeployedProcess[] = [];
let postgres: PostgresServer;
let api: string;
let worker: string;

/** A package of report types in an app's own node_modules, where it finds the core of the app. */
function installCrewReports(deployed: string): void {
  const place = join(deployed, "node_modules/crew-reports");
  mkdirSync(place);
  writeFileSync(
    join(place, "package.json"),
    JSON.stringify({ name: "crew-reports", type: "module", exports: "./index.js" }),
  );
  writeFileSync(
    join(place, "index.js"),
    `import { defineReportTypes } from "@reports/core/report-type";
    export default defineReportTypes([{
      authority: "MAY_SEE_THE_CREW",
      definition: {
        type: "CREW", version: 1, title: "Crew", columns: [{ key: "name", title: "Name", kind: "text" }],
        rows: { kind: "objects", async *rows() { yield { name: "Ada" }; } },
      },
    }]);`,
  );
}

/** How files of each format begin, read as Latin-1: a byte order mark, of csv. */
const beginnings = { pdf: "%PD", csv: "\u00EF\u00BB\u00BF", xlsx: "PK\u0003" };

interface ReportAnswer {
  readonly id: string;
  readonly status: string;
  readonly file: { readonly sha256: string; readonly size: number };
}

/** One API and one worker on a store, each with its own environment. */
async function startBoth(store: Readonly<Record<string, string>>) {
  const common = {
    ...store,
    DATABASE_URL: postgres.url,
    REPORT_TYPES: "crew-reports",
    // A collector that is away: what sends spans is loaded all the same.
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
  };
  const [port, workerPort] = [await findFreePort(), await findFreePort()];
  const startApi = () =>
    start("api", {
      ...common,
      HOST: "127.0.0.1",
      PORT: String(port),
      AUTH_JWT_SECRET: randomBytes(32).toString("hex"),
    });
  const startWorker = () =>
    start("worker", {
      ...common,
      WORKER_PORT: String(workerPort),
      SPOOL_DIR: join(folder, "spool"),
      WORKER_CONCURRENCY: "1",
    });
  const ready = async (which: "api" | "worker") => {
    const answer = await fetch(`http://127.0.0.1:${which === "api" ? port : workerPort}/health/ready`).catch(
      () => null,
    );
    await answer?.body?.cancel();
    return answer?.status;
  };
  const get = async (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: credentials } });
  const read = async (id: string) => (await (await get(`/v1/reports/${id}`)).json()) as ReportAnswer;
  return {
    startApi,
    startWorker,
    ready,
    read,
    untilReady: async (which: "api" | "worker") =>
      waitFor(async () => (await ready(which)) === 200, {
        what: `the ${which} to be ready; it said:\n${running.map((one) => one.output()).join("\n")}`,
        timeoutMs: 60_000,
      }),
    async begin(query: string): Promise<string> {
      const answer = await get(`/v1/report?${query}`);
      expect(answer.status).toBe(202);
      return ((await answer.json()) as ReportAnswer).id;
    },
    untilDone: async (id: string) =>
      waitFor(
        async () => {
          const report = await read(id);
          return report.status === "SUCCEEDED" && report;
        },
        { what: `report ${id} to succeed`, timeoutMs: 60_000 },
      ),
    async download(type: string, id: string): Promise<Buffer> {
      const answer = await get(`/v1/report/download?reportType=${type}&id=${id}`);
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    },
  };
}

function start(app: "api" | "worker", environment: Readonly<Record<string, string>>): DeployedProcess {
  const process = runDeployed(app === "api" ? api : worker, commandOf(app), environment);
  running.push(process);
  return process;
}

async function stop(process: DeployedProcess): Promise<number | null> {
  process.child.kill("SIGTERM");
  return process.exited;
}

const stores = ({ endpoint, accessKey, secretKey }: MinioServer) => ({
  minio: {
    MINIO_ENDPOINT: endpoint,
    MINIO_ACCESS_KEY: accessKey,
    MINIO_SECRET_KEY: secretKey,
    MINIO_BUCKET: "reports",
  },
  files: { STORAGE_DIR: join(folder, "files") },
});

describe.skipIf(minio === null)(
  "API and worker, deployed apart by their Dockerfiles' steps",
  { timeout: 180_000 },
  () => {
    beforeAll(async () => {
      api = buildByDockerfile("api", folder);
      worker = buildByDockerfile("worker", folder);
      postgres = await startPostgres();
      const migrate = runDeployed(api, ["node_modules/@reports/db/dist/commands/migrate.js"], {
        DATABASE_URL: postgres.url,
      });
      if ((await migrate.exited) !== 0) throw new Error(`The database was not migrated:\n${migrate.output()}`);
      await copyInventory({ databaseUrl: postgres.url, ...generateDemoInventory({ proxies: 10, domains: 300 }) });
      const database = createDatabase({ url: postgres.url });
      for (const deployed of [api, worker]) installCrewReports(deployed);
      const authorities = [...Object.values(reportTypeAuthorities), "MAY_SEE_THE_CREW"];
      await createUserStore(database).create({
        name: "reader",
        passwordHash: await hashPassword(password),
        authorities,
      });
      await database.close();
    }, 600_000);

    afterAll(async () => {
      for (const { child } of running) child.kill("SIGKILL");
      await postgres?.stop();
      await minio?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it("the API holds the console as it was built with it", () => {
      const site = join(api, "node_modules/@reports/console/dist/site");
      const page = readFileSync(join(site, "index.html"), "utf8");
      const named = [...page.matchAll(/"console\/([^"]+)"/g)].map(([, name]) => name!);
      expect(named.map((name) => name.split(".").at(-1)!).toSorted()).toEqual(["css", "js", "js", "svg"]);
      expect(readdirSync(site)).toEqual(expect.arrayContaining(named));
    });

    it.each([
      ["api", ["check-report-types", "database-roles", "load-inventory", "migrate", "users"]],
      ["worker", ["check-report-types", "reconcile", "store-marker"]],
    ] as const)("the %s's folder holds the commands of its operators, by their names", (app, commands) => {
      const bin = join(app === "api" ? api : worker, "bin");
      expect(readdirSync(bin).toSorted()).toEqual(commands);
      for (const command of commands) {
        const environment = { PATH: [dirname(process.execPath), bin, "/usr/bin", "/bin"].join(delimiter) };
        const { status, stdout } = spawnSync(command, ["--help"], { cwd: "/", env: environment, encoding: "utf8" });
        expect({ command, status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(command) });
      }
    });

    it("name every package that is in them, with its licence, bundles included", () => {
      for (const [deployed, expected] of [
        [api, ["koa", "@node-rs/argon2", "preact"]],
        [worker, ["graphile-worker", "@expo-google-fonts/noto-sans"]],
      ] as const) {
        const bill = JSON.parse(readFileSync(join(deployed, "sbom.cdx.json"), "utf8")) as {
          readonly components: readonly { readonly group?: string; readonly name: string }[];
        };
        const named = bill.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
        const notices = readFileSync(join(deployed, "THIRD-PARTY-NOTICES.txt"), "utf8");
        expect(named).toEqual(expect.arrayContaining([...expected]));
        for (const name of expected) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
        expect(named).not.toContain("vitest");
      }
    });

    it("give commands that run by a link to them, too", () => {
      for (const command of ["migrate", "users"]) {
        const link = join(folder, `linked-${command}`);
        symlinkSync(join(api, "bin", command), link);
        const { status, stdout, stderr } = spawnSync(link, ["--help"], {
          env: { PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
          encoding: "utf8",
        });
        expect([status, stderr, stdout]).toEqual([0, "", expect.stringContaining(`Usage: ${command}`)]);
      }
    });

    // Other users can only be taken on by root.
    it.skipIf(process.getuid?.() !== 0)("start as a user whom the system does not know and who has no HOME", () => {
      chmodSync(folder, 0o755);
      for (const app of [api, worker]) {
        const stranger = { uid: 7005, gid: 7005, env: {}, encoding: "utf8" } as const;
        const { status, stderr } = spawnSync(process.execPath, [join(app, "dist/main.js")], stranger);
        // It comes as far as its configuration, of which there is none.
        expect([status, stderr]).toEqual([78, expect.stringContaining("DATABASE_URL")]);
      }
    });

    it("hold no test, no fixture and nothing else that only tests use", () => {
      const surplus = [api, worker].flatMap((deployed) => {
        const packages = readdirSync(join(deployed, "node_modules/@reports")).map(
          (name) => `node_modules/@reports/${name}`,
        );
        expect(packages.length).toBeGreaterThan(2);
        expect(packages).not.toContain("node_modules/@reports/testing");
        return ["", ...packages].flatMap((owner) =>
          readdirSync(join(deployed, owner, "dist"), { recursive: true, encoding: "utf8" })
            .filter((file) => /\.test\.|\.fixture\.|^test\//.test(file))
            .map((file) => join(owner, file)),
        );
      });
      expect(surplus).toEqual([]);
    });

    it("hold no types, no maps and no page of a package, and of fonts the faces that reports are set in", () => {
      const files = [api, worker].flatMap((deployed) =>
        readdirSync(deployed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
      );
      const surplus = files.filter(({ name }) => /(\.[cm]?ts|\.map|readme\.md)$/i.test(name));
      expect(surplus.map(({ parentPath, name }) => join(parentPath, name))).toEqual([]);
      const named = readFileSync(join(worker, "dist/formats/pdf/font-files.js"), "utf8").matchAll(/([^"/]+\.ttf)"/g);
      const faces = new Set(files.map(({ name }) => name).filter((name) => name.endsWith(".ttf")));
      expect(faces).toEqual(new Set([...named].map(([, name]) => name)));
    });

    it("give the walk-through's reports from dist alone; one stopped leaves the other healthy and honest", async () => {
      const site = await startBoth(stores(minio!).minio);
      const apiProcess = site.startApi();
      let workerProcess = site.startWorker();
      await site.untilReady("api");
      await site.untilReady("worker");
      const isReady = new RegExp(`"revision":"${builtRevision}","msg":"(api|worker) is ready"`);
      for (const { output } of [apiProcess, workerProcess])
        await waitFor(() => isReady.test(output()), { what: `a line like ${isReady}` });

      for (const type of [...builtInReportTypes.map((definition) => definition.type), "CREW"]) {
        for (const format of ["pdf", "csv", "xlsx"] as const) {
          const id = await site.begin(`reportType=${type}&format=${format}`);
          const report = await site.untilDone(id);
          const bytes = await site.download(type, id);
          expect(createHash("sha256").update(bytes).digest("hex")).toBe(report.file.sha256);
          expect(bytes.subarray(0, 3).toString("latin1")).toBe(beginnings[format]);
        }
      }

      for (const [deployed, said] of [
        [api, "CREW (version 1), authority MAY_SEE_THE_CREW"],
        [worker, "Every report was made."],
      ] as const) {
        const check = runDeployed(deployed, ["dist/commands/check-report-types.js", "crew-reports"], {});
        expect({ code: await check.exited, output: check.output() }).toMatchObject({
          code: 0,
          output: expect.stringContaining(said),
        });
      }

      const dryRun = runDeployed(worker, ["dist/commands/reconcile.js", "--dry-run"], {
        ...stores(minio!).minio,
        DATABASE_URL: postgres.url,
      });
      expect({ code: await dryRun.exited, output: dryRun.output() }).toMatchObject({
        code: 0,
        output: expect.stringContaining("Nothing was changed."),
      });

      expect(await stop(workerProcess)).toBe(0);
      expect(await site.ready("worker")).toBeUndefined();
      expect(await site.ready("api")).toBe(200);
      const waiting = await site.begin("reportType=PROXY&format=csv");
      expect((await site.read(waiting)).status).toBe("QUEUED");

      workerProcess = site.startWorker();
      await site.untilReady("worker");
      await site.untilDone(waiting);
      expect(await stop(apiProcess)).toBe(0);
      expect(await site.ready("worker")).toBe(200);
      expect(await stop(workerProcess)).toBe(0);
    });

    it("give the same file of the same report from both stores, byte for byte", async () => {
      const files: Buffer[] = [];
      for (const store of [stores(minio!).minio, stores(minio!).files]) {
        // The records name files of the other store: only a person may give them this one.
        const environment = { DATABASE_URL: postgres.url, ...store };
        const adoption = runDeployed(worker, ["dist/commands/store-marker.js", "adopt", "--force"], environment);
        expect({ code: await adoption.exited, output: adoption.output() }).toMatchObject({ code: 0 });
        const site = await startBoth(store);
        const processes = [site.startApi(), site.startWorker()];
        await site.untilReady("api");
        const id = await site.begin(
          "reportType=PROXY_DOMAIN&format=csv&columns=hostname,upstream,certNotAfter,requests24h",
        );
        await site.untilDone(id);
        files.push(await site.download("PROXY_DOMAIN", id));
        for (const process of processes) expect(await stop(process)).toBe(0);
      }
      expect(files[0]!.length).toBeGreaterThan(10_000);
      expect(files[1]!.equals(files[0]!)).toBe(true);
    });
  },
);
