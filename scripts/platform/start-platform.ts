import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { CommandExitError } from "@reports/commands";
import {
  debianPostgresFolder,
  findFreePort,
  findProgramPath,
  killOnExit,
  listGoProgramFolders,
  isAvailableOrThrowInCi,
  signalIfRunning,
  startMinio,
  startPostgres,
  startTraceCollector,
  startWebhookReceiver,
  checkoutFolder,
} from "@reports/testing";
import { commandGroups } from "../commands/named-commands.ts";
import { createServerCertificates } from "./server-certificates.ts";
import { createPlatformDeployment } from "./deployment.ts";
import { createGuideRunner, platformGuides, createExampleReplacer } from "./guides.ts";
import { issuerAudience, startIssuer } from "./issuer.ts";

const runProgram = promisify(execFile);

export function canStartPlatform(): boolean {
  return isAvailableOrThrowInCi(
    "Debian's PostgreSQL 15, nginx, Prometheus, openssl and jq, and MinIO's server and client",
    ["postgres", "pg_dump"].every((name) => existsSync(join(debianPostgresFolder, name))) &&
      ["/usr/sbin/nginx", "/usr/bin/prometheus"].every((path) => existsSync(path)) &&
      ["openssl", "jq", "curl", "psql"].every((name) => findProgramPath(name) !== null) &&
      ["minio", "mc"].every((name) => findProgramPath(name, listGoProgramFolders()) !== null),
  );
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

export async function startPlatform() {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "reports-platform-"));
  parts.defer(async () => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const certificates = parts.use(await createServerCertificates(folder));
  const [authority] = certificates.authorities;
  await certificates.trust(authority);
  await certificates.issue(authority);
  const { shown, trusted } = certificates;
  const password = randomBytes(16).toString("hex");
  const settings = { ssl: "on", ssl_cert_file: shown.postgres.certificate, ssl_key_file: shown.postgres.key };
  // The version of both servers must be that of pg_dump on PATH, which the guides call.
  const [postgres, newServer, minio, collector, receiver, issuer, balancerPort] = await Promise.all([
    startPostgres({ bin: debianPostgresFolder, password, settings }),
    startPostgres({ bin: debianPostgresFolder, password, settings }),
    startMinio({ certificates: join(folder, "etc/minio") }),
    startTraceCollector(),
    startWebhookReceiver(),
    startIssuer(),
    findFreePort(),
  ]);
  for (const part of [collector, receiver, issuer]) parts.use(part);
  for (const { pid } of [postgres, newServer]) parts.defer(killOnExit({ kill: () => signalIfRunning(pid, "SIGQUIT") }));
  parts.defer(async () => void (await Promise.all([postgres.stop(), newServer.stop(), minio?.stop()])));
  if (minio === null) throw new CommandExitError("There is no MinIO server: .ci/run says how it is installed.");
  const deployment = parts.use(await createPlatformDeployment(folder));
  await prepareFolder(folder);
  const url = `https://127.0.0.1:${balancerPort}`;
  const guides = parts.use(
    await createGuideRunner({
      guides: platformGuides,
      folder,
      environment: {
        PATH: [join(folder, "bin"), process.env["PATH"], ...listGoProgramFolders()].join(delimiter),
        HOME: folder,
        PGPASSWORD: password,
        CURL_CA_BUNDLE: trusted,
      },
      fill: createExampleReplacer([
        ["PGHOST=db.internal", `PGHOST=127.0.0.1 PGPORT=${postgres.port}`],
        ["PGHOST=db-new.internal", `PGHOST=127.0.0.1 PGPORT=${newServer.port}`],
        ["@db.internal/", `@127.0.0.1:${postgres.port}/`],
        ["@db-new.internal/", `@127.0.0.1:${newServer.port}/`],
        ["/etc/reports/ca.crt", trusted],
        ["https://s3.internal", minio.endpoint],
        ["ROOT_USER ROOT_PASSWORD", `${minio.accessKey} ${minio.secretKey}`],
        ["=ROOT_USER", `=${minio.accessKey}`],
        ["=ROOT_PASSWORD", `=${minio.secretKey}`],
        ["export PATH=/srv/report-api/bin:$PATH", "true"],
        ["/backup/reports", join(folder, "backup")],
        ["https://reports.example.com", url],
        ["http://otel-collector:4318", collector.url],
        [/\b3002\b/g, String(deployment.instances.find(({ app }) => app === "api")!.probePort)],
        [/\b3001\b/g, String(deployment.instances.find(({ app }) => app === "worker")!.probePort)],
      ]),
    }),
  );
  const owned = parts.move();
  return {
    folder,
    certificates,
    postgres,
    minio,
    collector,
    receiver,
    issuer,
    deployment,
    guides,
    balancerPort,
    async reloadPostgres(): Promise<void> {
      for (const server of [postgres, newServer])
        await runProgram("psql", ["--quiet", "--dbname", server.url, "--command", "SELECT pg_reload_conf()"]);
    },
    url,
    issuerVariables: {
      AUTH_JWKS_URL: `${issuer.url}/keys`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: issuerAudience,
    },
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}

async function prepareFolder(folder: string): Promise<void> {
  for (const name of ["deploy", "docs"]) await symlink(join(checkoutFolder, name), join(folder, name));
  for (const name of ["bin", "backup", "files", "spool"]) await mkdir(join(folder, name));
  for (const [name, { module }] of Object.entries(commandGroups["operate"]!.commands))
    await writeFile(join(folder, "bin", name), commandOf(name, module), { mode: 0o755 });
}

/**
 * Returns a shell script that runs a command of the images from the sources in $CHECKOUT. Commands of the worker get the variables of worker.env, but
 * the caller's DATABASE_URL.
 */
function commandOf(name: string, module: string): string {
  const variables = ["reconcile", "store-marker"].includes(name) ? "$(grep -v ^DATABASE_URL worker.env) " : "";
  return `#!/bin/bash\nexec env ${variables}node --conditions=@reports/source "$CHECKOUT/${module}" "$@"\n`;
}
