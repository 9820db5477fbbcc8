import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  checkoutFolder,
  debianPostgresFolder,
  findFreePort,
  killOnExit,
  signalIfRunning,
  startPostgres,
  startTraceCollector,
  startWebhookReceiver,
} from "@reports/testing";
import { commandGroups } from "../commands/named-commands.ts";
import { runProgram } from "../machine/run-program.ts";
import { canRunTrial, createTrialFolder, joinPathWithGoPrograms } from "../machine/trial-machine.ts";
import { createPlatformDeployment } from "./deployment.ts";
import { createGuideRunner, platformGuides, createExampleReplacer } from "./guides.ts";
import { startIssuer } from "./issuer.ts";
import { startTlsServers } from "./start-tls-servers.ts";

const neededPrograms = `${debianPostgresFolder}/postgres ${debianPostgresFolder}/pg_dump /usr/sbin/nginx /usr/bin/prometheus openssl jq curl psql minio mc`;

export function canStartPlatform(): boolean {
  const needs = "Debian's PostgreSQL 15, nginx, Prometheus, openssl and jq, and MinIO's server and client";
  return canRunTrial(needs, neededPrograms, { asRoot: false });
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

export async function startPlatform() {
  await using parts = new AsyncDisposableStack();
  const { path: folder } = parts.use(await createTrialFolder("reports-platform-"));
  const servers = parts.use(await startTlsServers(folder));
  const { certificates, postgres, minio, postgresSettings: settings } = servers;
  const { trusted } = certificates;
  const { password } = new URL(postgres.url);
  // The version of both servers must be that of pg_dump on PATH, which the guides call.
  const newServer = await startPostgres({ bin: debianPostgresFolder, password, settings });
  parts.defer(killOnExit({ kill: () => signalIfRunning(newServer.pid, "SIGQUIT") }));
  parts.defer(async () => newServer.stop());
  const collector = parts.use(await startTraceCollector());
  const receiver = parts.use(await startWebhookReceiver());
  const issuer = parts.use(await startIssuer());
  const balancerPort = await findFreePort();
  const deployment = parts.use(await createPlatformDeployment(folder));
  await prepareFolder(folder);
  const url = `https://127.0.0.1:${balancerPort}`;
  const guides = parts.use(
    await createGuideRunner({
      guides: platformGuides,
      folder,
      environment: {
        PATH: joinPathWithGoPrograms(join(folder, "bin"), process.env["PATH"]),
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
        await runProgram({ folder }, "psql", ["--dbname", server.url, "--command", "SELECT pg_reload_conf()"]);
    },
    url,
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
