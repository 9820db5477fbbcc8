import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import {
  findFreePort,
  findProgram,
  listGoFolders,
  hasPgbouncer,
  machineHas,
  startBalancer,
  startMinio,
  startPgbouncer,
  startPostgres,
  type Balancer,
  type MinioServer,
  type PostgresServer,
} from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandGroups } from "../../commands/named-commands.ts";
import { runPage } from "./run-page.ts";

const root = join(import.meta.dirname, "../../..");
const guides = join(root, "docs/guides/running");
const source = (file: string): string => `node --conditions=@reports/source ${join(root, file)}`;

/** Folder of Debian's Postgres programs, which have the same version as pg_dump on PATH. */
const postgresFolder = "/usr/lib/postgresql/15/bin";
const hasServers = machineHas(
  "Debian's PostgreSQL 15, nginx, promtool, jq, and MinIO's server and client",
  existsSync(postgresFolder) &&
    ["/usr/sbin/nginx", "/usr/bin/promtool", "/usr/bin/jq"].every((path) => existsSync(path)) &&
    ["minio", "mc"].every((name) => findProgram(name, listGoFolders()) !== null),
);

const folder = mkdtempSync(join(tmpdir(), "reports-operator-"));
const ports = { api: 0, probe: 0, worker: 0 };
let postgres: PostgresServer;
let newServer: PostgresServer;
let minio: MinioServer | null;
let balancer: Balancer;

beforeAll(async () => {
  if (!hasServers) return;
  chmodSync(folder, 0o755);
  for (const name of ["deploy", "docs"]) symlinkSync(join(root, name), join(folder, name));
  for (const name of ["bin", "backup", "files"]) mkdirSync(join(folder, name));
  for (const [name, { module }] of Object.entries(commandGroups["operate"]!.commands))
    writeFileSync(join(folder, "bin", name), commandOf(name, module), { mode: 0o755 });
  [ports.api, ports.probe, ports.worker] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const upstream = { origin: `http://127.0.0.1:${ports.api}`, probePort: ports.probe };
  // A substitute for the API, which the guides start later: the balancer is ready only when the upstream answers.
  const substitute = createServer((_, response) => response.end()).listen(ports.api, "127.0.0.1");
  const password = "a-password-of-both-superusers";
  [postgres, newServer, minio, balancer] = await Promise.all([
    startPostgres({ bin: postgresFolder, password }),
    startPostgres({ bin: postgresFolder, password }),
    startMinio(),
    startBalancer("nginx", [upstream, upstream]),
  ]);
  substitute.closeAllConnections();
  substitute.close();
});

afterAll(async () => {
  await Promise.all([postgres?.stop(), newServer?.stop(), minio?.stop(), balancer?.[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a shell script that runs a command of the images. Commands of the worker get the variables of worker.env except DATABASE_URL. */
function commandOf(name: string, module: string): string {
  const variables = ["reconcile", "store-marker"].includes(name) ? "$(grep -v ^DATABASE_URL worker.env) " : "";
  return `#!/bin/bash\nexec env ${variables}${source(module)} "$@"\n`;
}

/** Steps between the guides that are not on any page. */
const steps = {
  prepare: `
export HOME=$PWD PATH=$PWD/bin:$PATH PGPASSWORD=SUPERUSER_PASSWORD PUBLIC_URL=https://reports.example.com
STORAGE_DIR=$PWD/files
export WEBHOOK_KEY=$(openssl rand -base64 32) AUTH_JWT_SECRET=$(openssl rand -hex 32)
start() { # NAME PROBES
  env $(cat $1.env) HOST=127.0.0.1 PORT=API_PORT WORKER_PORT=WORKER_PORT_NUMBER ${source("apps/$1/src/main.ts")} >>$1.log 2>&1 &
  echo $! >$1.pid
  for try in $(seq 600); do
    curl --silent --fail --output ready.json http://127.0.0.1:$2/health/ready && return
    kill -0 $(cat $1.pid) || break
    sleep 0.2
  done
  tail -n 20 $1.log >&2
  return 1
}
stop() { kill $(cat $1.pid); while kill -0 $(cat $1.pid) 2>/dev/null; do sleep 0.1; done; }`,
  startBoth: "start worker WORKER_PORT_NUMBER\nstart api PROBE_PORT_NUMBER",
  firstReport: `
printf '%s\\n' a-password-of-20-letters | users create tester --authorities REPORT_PROXY_DOMAIN,REPORTS_ADMIN
TOKEN=$(curl --silent --fail -u tester:a-password-of-20-letters -X POST http://127.0.0.1:API_PORT/v1/tokens | jq -r .access_token)
report() {
  curl --silent --fail -H "Authorization: Bearer $TOKEN" -H 'Prefer: wait=30' -H 'Content-Type: application/json' \\
    -d '{"reportType":"PROXY_DOMAIN","format":"csv"}' http://127.0.0.1:API_PORT/v1/reports | jq -r .id
}
download() { curl --silent --fail -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:API_PORT/v1/report/download?reportType=PROXY_DOMAIN&id=$1"; }
ID=$(report)
for try in $(seq 300); do download $ID >before.csv && break; sleep 0.2; done
grep www.example.com before.csv
psql --quiet --dbname="$SUPERUSER_OF_ALL" <<SQL
CREATE ROLE billing_owner;
CREATE SCHEMA billing AUTHORIZATION billing_owner;
SET ROLE billing_owner;
CREATE TABLE billing.invoices AS SELECT 42 AS amount;
CREATE VIEW billing.report_rows AS SELECT amount FROM billing.invoices;
GRANT USAGE ON SCHEMA billing TO reports_worker;
GRANT SELECT ON billing.report_rows TO reports_worker;
SQL`,
  loseEverything: `
stop worker
psql --quiet --dbname="$DATABASE_URL" --command='DROP TABLE domains CASCADE' 2>dropped.txt
mc --quiet rm --recursive --force store/reports/reports >removed.txt
! download $ID >lost.csv`,
  afterRestore: `
start worker WORKER_PORT_NUMBER
for try in $(seq 100); do download $ID >after.csv && break; sleep 0.2; done
cmp before.csv after.csv
psql --quiet --no-align --tuples-only --dbname="$NEW_URL" --command="SET ROLE gateway_worker" \\
  --command="SELECT 'restored ' || amount FROM billing.report_rows WHERE EXISTS (SELECT FROM reports)"`,
};

/** Replaces addresses and secrets in the examples of the guides by those of this test. */
function fill(page: string): string {
  const superuser = new URL(postgres.url);
  const address = `${superuser.hostname}:${superuser.port}`;
  const ofNewServer = new URL(newServer.url);
  const replaced: readonly (readonly [string | RegExp, string])[] = [
    [
      /PGHOST=db\.internal PGUSER=postgres PGSSLMODE=\S+ PGSSLROOTCERT=\S+/g,
      `PGHOST=${superuser.hostname} PGPORT=${superuser.port} PGUSER=${superuser.username}`,
    ],
    [
      /PGHOST=db-new\.internal PGUSER=postgres PGSSLMODE=\S+ PGSSLROOTCERT=\S+/g,
      `PGHOST=${ofNewServer.hostname} PGPORT=${ofNewServer.port} PGUSER=${ofNewServer.username}`,
    ],
    [/\?sslmode=verify-full&sslrootcert=\/etc\/reports\/ca\.crt/g, ""],
    ["$SUPERUSER_OF_ALL", postgres.url.replace(/\/[^/]*$/, "/reports")],
    ["postgres://postgres@db-new.internal/reports", newServer.url.replace(/\/[^/]*$/, "/reports")],
    ["postgres://postgres@db.internal/reports", postgres.url.replace(/\/[^/]*$/, "/reports")],
    ["@db.internal/", `@${address}/`],
    [/https:\/\/s3\.internal/g, minio!.endpoint],
    ["MINIO_CA_FILE=/etc/reports/ca.crt\n", ""],
    ["=ROOT_USER", `=${minio!.accessKey}`],
    ["=ROOT_PASSWORD", `=${minio!.secretKey}`],
    ["export PATH=/srv/report-api/bin:$PATH", "true"],
    ["/backup/reports", join(folder, "backup")],
    // Every remaining example URL becomes the balancer's.
    [/https:\/\/reports\.example\.com/g, balancer.url],
    ["SUPERUSER_PASSWORD", superuser.password],
    ["API_PORT", String(ports.api)],
    ["PROBE_PORT_NUMBER", String(ports.probe)],
    ["WORKER_PORT_NUMBER", String(ports.worker)],
    [/\b3002\b/g, String(ports.probe)],
    [/\b3001\b/g, String(ports.worker)],
    // Starts both programs from the sources, because building them takes minutes and is tested separately.
    [
      /<!-- not run: needs systemd[^\n]*\n```sh\ngroupadd[^`]*```/,
      `\`\`\`sh\n${steps.startBoth}\n\`\`\``
        .replace("WORKER_PORT_NUMBER", String(ports.worker))
        .replace("PROBE_PORT_NUMBER", String(ports.probe)),
    ],
  ];
  return replaced.reduce(
    (text, [from, to]) => text.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), () => to),
    page,
  );
}

const block = (commands: string): string =>
  `\n\n\`\`\`sh${commands.startsWith("\n") ? "" : "\n"}${commands}\n\`\`\`\n\n`;
const guide = async (name: string): Promise<string> => readFile(join(guides, `${name}.md`), "utf8");

test.skipIf(!hasServers)(
  "the guides' commands install, monitor, back up, restore and repair the service",
  { timeout: 600_000 },
  async () => {
    const page = [
      block(steps.prepare),
      await guide("install"),
      block(steps.firstReport),
      await guide("monitor"),
      await guide("back-up"),
      block(steps.loseEverything),
      await guide("restore"),
      `${block(steps.afterRestore)}\`\`\`text\nrestored 42\n\`\`\`\n`,
      ...(await Promise.all(["repair", "respond-to-alerts", "rotate-secrets", "upgrade", "behind-a-proxy"].map(guide))),
    ].join("\n\n");
    const path = join(folder, "day.md");
    writeFileSync(path, page);
    process.env["PATH"] = [process.env["PATH"], ...listGoFolders()].join(delimiter);
    const { differences } = await runPage(path, { root: folder, folder, fill });
    expect(differences).toEqual([]);
  },
);

test.skipIf(!hasServers || !hasPgbouncer())("pgbouncer runs with the settings of the guide", async () => {
  const [, block = ""] = /^\[pgbouncer\]\n([^]*?)^```/m.exec(await guide("scale")) ?? [];
  const lines = block.split("\n").filter((line) => /^\w+ = /.test(line));
  const settings = Object.fromEntries(lines.map((line) => line.split(" = ") as [string, string]));
  expect(settings).toMatchObject({ default_pool_size: "100", max_client_conn: "400" });
  // Without the settings for TLS and users, because the test has no certificates and uses its own users file.
  const kept = Object.entries(settings).filter(([key]) => !/tls|auth_file/.test(key));
  await using pooler = await startPgbouncer({
    databaseUrl: postgres.url,
    settings: { ...Object.fromEntries(kept), listen_addr: "127.0.0.1", pool_mode: "session" },
  });
  expect(pooler.url).toContain("127.0.0.1");
});

test.each(["scale", "enable-webhooks", "console-sign-in", "compose", "kubernetes", "install-report-types"])(
  "the commands of the guide %s run",
  async (name) => {
    const { differences } = await runPage(join(guides, `${name}.md`), { root, folder: tmpdir(), fill: (text) => text });
    expect(differences).toEqual([]);
  },
);
