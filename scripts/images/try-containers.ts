import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { forwardPort } from "../machine/forward-port.ts";
import { joinPathWithGoPrograms } from "../machine/trial-machine.ts";
import { makeReportAsCaller, trialCallerPassword } from "../platform/callers.ts";
import { createGuideRunner, createExampleReplacer, waitUntilReady } from "../platform/guides.ts";
import { startTlsServers } from "../platform/start-tls-servers.ts";
import { bridgeAddress, type DockerEngine } from "./docker-engine.ts";
import { assertExited, runner, untilHealthy } from "./try-compose.ts";

const containers = ["report-api", "report-worker"] as const;

/**
 * Runs the commands of docs/guides/running/install.md for images in `checkout`, against Postgres and MinIO of this machine with certificates of an
 * internal authority. The images must exist.
 */
export async function tryContainers(
  engine: DockerEngine,
  { folder, checkout }: { readonly folder: string; readonly checkout: string },
): Promise<void> {
  await mkdir(folder);
  await using servers = await startTlsServers(folder, ["127.0.0.1", bridgeAddress]);
  const { certificates, postgres, minio } = servers;
  // Containers have no access to the loopback interface, where the servers of the trial listen.
  await using database = await forwardPort(bridgeAddress, 0, postgres.port);
  await using store = await forwardPort(bridgeAddress, 0, Number(new URL(minio.endpoint).port));
  await using guides = await createGuideRunner({
    guides: ["install"],
    runner,
    folder: checkout,
    environment: {
      ...engine.environment,
      PATH: joinPathWithGoPrograms(engine.environment["PATH"]),
      MC_CONFIG_DIR: join(folder, ".mc"),
      PGPASSWORD: new URL(postgres.url).password,
    },
    fill: createExampleReplacer([
      ["PGHOST=db.internal", `PGHOST=${bridgeAddress} PGPORT=${database.port}`],
      ["@db.internal/", `@${bridgeAddress}:${database.port}/`],
      ["https://s3.internal", `https://${bridgeAddress}:${store.port}`],
      ["=ROOT_USER", `=${minio.accessKey}`],
      ["=ROOT_PASSWORD", `=${minio.secretKey}`],
      ["-v /etc/reports/ca.crt:", `-v ${certificates.trusted}:`],
      ["PGSSLROOTCERT=/etc/reports/ca.crt", `PGSSLROOTCERT=${certificates.trusted}`],
    ]),
  });
  const operate = `docker run --rm -i --env DATABASE_URL -v ${certificates.trusted}:/etc/reports/ca.crt:ro -v "$PWD:/csv:ro" -w /csv report-gateway-api`;
  // The guide calls the commands for operators by their names. Where only images are installed, a container runs each.
  const commands = ["migrate", "database-roles", "users", "load-inventory"];
  await guides.run(commands.map((name) => `${name}() { ${operate} ${name} "$@"; }`).join("\n"));
  await guides.runUntil("install", "docker run -d --name");
  try {
    await untilHealthy(engine, containers);
    for (const port of ["3002", "3001"]) await guides.run(waitUntilReady(port));
    await guides.runRest("install");
    guides.assertAllRan();
    await guides.run(`users create caller --authorities REPORT_PROXY_DOMAIN <<< ${trialCallerPassword}`);
    await makeReportAsCaller("http://127.0.0.1:3000", folder);
    await engine.run("stop", ...containers);
    await assertExited(engine, containers);
  } catch (error) {
    const logs = await Promise.all(
      containers.map(async (name) => engine.run("logs", "--tail", "60", name).catch(String)),
    );
    throw new CommandExitError([(error as Error).message, ...logs].join("\n\n"));
  }
}
