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
import { hashPassword, builtInTypeAuthorities } from "@reports/auth";
import { builtInReportTypes } from "@reports/core/report";
import { copyIntoInventory, createDatabase, createUserStore } from "@reports/db";
import {
  generateDemoInventory,
  buildMinioEnvironment,
  runProcessToEnd,
  startMinio,
  startPostgres,
  startStand,
  waitFor,
  type ProcessEnvironment,
  type MinioServer,
  type PostgresServer,
  type Stand,
} from "@reports/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  testBuildRevision,
  buildAppByDockerfile,
  readDockerfileCommand,
  toDeployedProcessOptions,
} from "./deployed-processes.ts";

const minio = await startMinio();
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  readonly version: string;
};

const password = randomBytes(12).toString("hex");
const credentials = `Basic ${Buffer.from(`reader:${password}`).toString("base64")}`;
const folder = mkdtempSync(join(tmpdir(), "reports-deployed-"));
const stands: Stand[] = [];
let postgres: PostgresServer;
let api: string;
let worker: string;

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

const beginnings = { pdf: "%PD", csv: "\u00EF\u00BB\u00BF", xlsx: "PK\u0003" };

interface ReportResponse {
  readonly id: string;
  readonly status: string;
  readonly file: { readonly sha256: string; readonly size: number };
}

async function standOn(store: ProcessEnvironment) {
  const stand = await startStand({
    database: { url: postgres.url },
    environment: {
      ...store,
      NODE_ENV: "production",
      // The options of the tests make Node load sources, which deployed folders do not have.
      NODE_OPTIONS: undefined,
      REPORT_TYPES: "crew-reports",
      // No collector listens at this address. The setting only makes the apps load the modules that send spans.
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      WORKER_CONCURRENCY: "1",
    },
    program: (app) => ({ args: readDockerfileCommand(app), cwd: app === "api" ? api : worker }),
  });
  stands.push(stand);
  const get = async (path: string) => fetch(`${stand.origin}${path}`, { headers: { authorization: credentials } });
  const read = async (id: string) => (await (await get(`/v1/reports/${id}`)).json()) as ReportResponse;
  return {
    api: await stand.addApi({ start: false }),
    worker: await stand.addWorker({ start: false }),
    read,
    async begin(query: string): Promise<string> {
      const response = await get(`/v1/report?${query}`);
      expect(response.status).toBe(202);
      return ((await response.json()) as ReportResponse).id;
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
      const response = await get(`/v1/report/download?reportType=${type}&id=${id}`);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    },
  };
}

const stores = (server: MinioServer) => ({
  minio: buildMinioEnvironment(server),
  files: { STORAGE_DIR: join(folder, "files") },
});

describe.skipIf(minio === null)(
  "API and worker in separate folders, built by the steps of their Dockerfiles",
  { timeout: 180_000 },
  () => {
    beforeAll(async () => {
      api = buildAppByDockerfile("api", folder);
      worker = buildAppByDockerfile("worker", folder);
      postgres = await startPostgres();
      const migrate = ["node_modules/@reports/db/dist/commands/migrate.js"];
      const { end, log } = await runProcessToEnd(
        toDeployedProcessOptions(api, migrate, { DATABASE_URL: postgres.url }),
      );
      if (end !== 0) throw new Error(`The database was not migrated:\n${log}`);
      await copyIntoInventory({ databaseUrl: postgres.url, ...generateDemoInventory({ proxies: 10, domains: 300 }) });
      const database = createDatabase({ url: postgres.url });
      for (const deployed of [api, worker]) installCrewReports(deployed);
      const authorities = [...Object.values(builtInTypeAuthorities), "MAY_SEE_THE_CREW"];
      await createUserStore(database).create({
        name: "reader",
        passwordHash: await hashPassword(password),
        authorities,
      });
      await database.close();
    }, 600_000);

    afterAll(async () => {
      for (const stand of stands) await stand[Symbol.asyncDispose]();
      await postgres?.stop();
      await minio?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it("the deployed folder of the API contains the built console", () => {
      const site = join(api, "node_modules/@reports/console/dist/site");
      const page = readFileSync(join(site, "index.html"), "utf8");
      const named = [...page.matchAll(/"console\/([^"]+)"/g)].map(([, name]) => name!);
      expect(named.map((name) => name.split(".").at(-1)!).toSorted()).toEqual(["css", "js", "svg"]);
      expect(readdirSync(site)).toEqual(expect.arrayContaining(named));
    });

    it.each([
      ["api", ["check-report-types", "database-roles", "load-inventory", "migrate", "users"]],
      ["worker", ["check-report-types", "reconcile", "store-marker"]],
    ] as const)("the deployed bin folder of the %s has exactly its commands, which run by name", (app, commands) => {
      const bin = join(app === "api" ? api : worker, "bin");
      expect(readdirSync(bin).toSorted()).toEqual(commands);
      for (const command of commands) {
        const environment = { PATH: [dirname(process.execPath), bin, "/usr/bin", "/bin"].join(delimiter) };
        const { status, stdout } = spawnSync(command, ["--help"], { cwd: "/", env: environment, encoding: "utf8" });
        expect({ command, status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(command) });
      }
    });

    it("the deployed SBOM and notices name every package, also bundled ones", () => {
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

    it("the deployed commands migrate and users also run through a symbolic link", () => {
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

    // Only root can run a process as another user.
    it.skipIf(process.getuid?.() !== 0)(
      "the deployed API and worker start as a user without an account and HOME",
      () => {
        chmodSync(folder, 0o755);
        for (const app of [api, worker]) {
          const stranger = { uid: 7005, gid: 7005, env: {}, encoding: "utf8" } as const;
          const { status, stderr } = spawnSync(process.execPath, [join(app, "dist/main.js")], stranger);
          // The process has no configuration, so it exits with 78. An error of the start, such as a missing HOME, would be another.
          expect([status, stderr]).toEqual([78, expect.stringContaining("DATABASE_URL")]);
        }
      },
    );

    it("the deployed folders contain no tests and no other files that only tests use", () => {
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

    it("the deployed folders contain no types, source maps, readmes or unused fonts", () => {
      const files = [api, worker].flatMap((deployed) =>
        readdirSync(deployed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
      );
      const surplus = files.filter(({ name }) => /(\.[cm]?ts|\.map|readme\.md)$/i.test(name));
      expect(surplus.map(({ parentPath, name }) => join(parentPath, name))).toEqual([]);
      const named = readFileSync(join(worker, "dist/formats/pdf/font-files.js"), "utf8").matchAll(/([^"/]+\.ttf)"/g);
      const faces = new Set(files.map(({ name }) => name).filter((name) => name.endsWith(".ttf")));
      expect(faces).toEqual(new Set([...named].map(([, name]) => name)));
    });

    it("deployed apps make reports of each type, and stay ready if the other app is down", async () => {
      const site = await standOn(stores(minio!).minio);
      for (const process of [site.api, site.worker]) process.start();
      for (const process of [site.api, site.worker]) await process.ready();
      for (const [process, app] of [
        [site.api, "api"],
        [site.worker, "worker"],
      ] as const)
        await process.waitForLog(`"version":"${version}","revision":"${testBuildRevision}","msg":"${app} is ready"`);

      for (const type of [...builtInReportTypes.map((definition) => definition.type), "CREW"]) {
        for (const format of ["pdf", "csv", "xlsx"] as const) {
          const id = await site.begin(`reportType=${type}&format=${format}`);
          const report = await site.untilDone(id);
          const bytes = await site.download(type, id);
          expect(createHash("sha256").update(bytes).digest("hex")).toBe(report.file.sha256);
          expect(bytes.subarray(0, 3).toString("latin1")).toBe(beginnings[format]);
        }
      }

      for (const [deployed, output] of [
        [api, "CREW (version 1), authority MAY_SEE_THE_CREW"],
        [worker, "Every report was made."],
      ] as const) {
        const check = toDeployedProcessOptions(deployed, ["dist/commands/check-report-types.js", "crew-reports"], {});
        expect(await runProcessToEnd(check)).toMatchObject({ end: 0, log: expect.stringContaining(output) });
      }

      const dryRun = toDeployedProcessOptions(worker, ["dist/commands/reconcile.js", "--dry-run"], {
        ...stores(minio!).minio,
        DATABASE_URL: postgres.url,
      });
      expect(await runProcessToEnd(dryRun)).toMatchObject({
        end: 0,
        log: expect.stringContaining("Nothing was changed."),
      });

      expect(await site.worker.stop()).toBe(0);
      await expect(fetch(`${site.worker.origin}/health/ready`)).rejects.toThrow();
      await site.api.ready();
      const waiting = await site.begin("reportType=PROXY&format=csv");
      expect((await site.read(waiting)).status).toBe("QUEUED");

      site.worker.start();
      await site.worker.ready();
      await site.untilDone(waiting);
      expect(await site.api.stop()).toBe(0);
      await site.worker.ready();
      expect(await site.worker.stop()).toBe(0);
    });

    it("a report has the same bytes in MinIO as in a folder as the file store", async () => {
      const files: Buffer[] = [];
      for (const store of [stores(minio!).minio, stores(minio!).files]) {
        // The records in the database name files in the store of the previous pass. So the worker refuses this store until a command adopts it.
        const environment = { DATABASE_URL: postgres.url, ...store };
        const adopt = toDeployedProcessOptions(
          worker,
          ["dist/commands/store-marker.js", "adopt", "--force"],
          environment,
        );
        expect(await runProcessToEnd(adopt)).toMatchObject({ end: 0 });
        const site = await standOn(store);
        const processes = [site.api, site.worker];
        for (const process of processes) process.start();
        await site.api.ready();
        const id = await site.begin(
          "reportType=PROXY_DOMAIN&format=csv&columns=hostname,upstream,certNotAfter,requests24h",
        );
        await site.untilDone(id);
        files.push(await site.download("PROXY_DOMAIN", id));
        for (const process of processes) expect(await process.stop()).toBe(0);
      }
      expect(files[0]!.length).toBeGreaterThan(10_000);
      expect(files[1]!.equals(files[0]!)).toBe(true);
    });
  },
);
