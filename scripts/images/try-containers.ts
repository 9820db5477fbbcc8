import { connect, createServer, type Server } from "node:net";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream";
import { createGateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import { listGoProgramFolders } from "@reports/testing";
import { createGuideRunner, createExampleReplacer, waitUntilReady } from "../platform/guides.ts";
import { startTlsServers } from "../platform/start-tls-servers.ts";
import { bridgeAddress, type DockerEngine } from "./docker-engine.ts";
import { assertAllRan, assertExited, assertTrue, patienceMs, runner, untilHealthy } from "./try-compose.ts";

const password = "a-password-of-20-letters";
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
  await using database = await startRelay(postgres.port);
  await using store = await startRelay(Number(new URL(minio.endpoint).port));
  await using guides = await createGuideRunner({
    guides: ["install"],
    runner,
    folder: checkout,
    environment: {
      ...engine.environment,
      PATH: [engine.environment["PATH"], ...listGoProgramFolders()].join(delimiter),
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
    assertAllRan(guides);
    await guides.run(`users create caller --authorities REPORT_PROXY_DOMAIN <<< ${password}`);
    const gateway = createGateway({ baseUrl: "http://127.0.0.1:3000", credentials: { name: "caller", password } });
    const input = { reportType: "PROXY_DOMAIN", format: "csv" } as const;
    const { rowCount } = await gateway.reports.run(input, { to: join(folder, "report.csv"), timeoutMs: patienceMs });
    assertTrue(rowCount === 1, `The report has ${rowCount} rows, and the guide loads one domain.`);
    await engine.run("stop", ...containers);
    await assertExited(engine, containers);
  } catch (error) {
    const logs = await Promise.all(
      containers.map(async (name) => engine.run("logs", "--tail", "60", name).catch(String)),
    );
    throw new CommandExitError([(error as Error).message, ...logs].join("\n\n"));
  }
}

/**
 * Relays connections to a loopback port of the machine, where the servers of the trial listen. Containers have no access to the loopback address.
 */
async function startRelay(port: number): Promise<{ readonly port: number } & AsyncDisposable> {
  const relay: Server = createServer((socket) => {
    const upstream = connect(port, "127.0.0.1");
    // `pipeline` destroys all its streams if one fails. The callback ignores the error, because a closed connection does not matter to the trial.
    pipeline(socket, upstream, socket, () => undefined);
  }).listen(0, bridgeAddress);
  await once(relay, "listening");
  const address = relay.address() as { readonly port: number };
  return { port: address.port, [Symbol.asyncDispose]: async () => void relay.close() };
}
