import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import { builtInReportTypes } from "@reports/core/report";
import { checkoutFolder, isFulfilled, waitFor } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";
import { createGuideRunner, createExampleReplacer } from "../platform/guides.ts";
import { parseCodeBlocks } from "../test/documents/parse-page-steps.ts";
import type { DockerEngine } from "./docker-engine.ts";
import { sumScalerQueries } from "./scaler.ts";

export const runner = "pnpm try images";
const url = "http://127.0.0.1:3000";
const containers = ["report-gateway-api-1", "report-gateway-worker-1"] as const;
const demoData = join(checkoutFolder, "scripts/commands/demo-data.ts");
export const patienceMs = 180_000;
/** Time limit of one block of commands in ms. Builds of images take long on a busy machine. */
export const commandLimitMs = 2_400_000;

/** Runs the commands of the README, of docs/guides/running/compose.md and of upgrade.md for Compose in `checkout`, and uses the installation. */
export async function tryCompose(
  engine: DockerEngine,
  { folder, checkout }: { readonly folder: string; readonly checkout: string },
  say: (sentence: string) => void,
): Promise<void> {
  const secrets = await writeSecrets(join(folder, "secrets.env"));
  const compose = async (...args: readonly string[]): Promise<string> =>
    engine.run("compose", "--file", join(checkout, "deploy/compose.yaml"), ...args);
  await using guides = await createGuideRunner({
    guides: ["compose", "upgrade"],
    runner,
    commandLimitMs,
    folder: checkout,
    environment: engine.environment,
    fill: createExampleReplacer([
      ["cp deploy/example.env deploy/.env", `cp ${join(folder, "secrets.env")} deploy/.env`],
      ["admin:ADMIN_PASSWORD", `admin:${secrets["ADMIN_PASSWORD"]}`],
    ]),
  });
  try {
    await guides.runUntil("compose", "up --build");
    await untilHealthy(engine, containers);
    say("docker compose up has started the service.");
    await checkPreparation(compose, secrets);
    const counts = ["--proxies", "20", "--domains", "500"];
    const csv = ["--conditions=@reports/source", demoData, ...counts, "--csv", checkout];
    await runProgram({ folder: checkout }, process.execPath, csv);
    await guides.runRest("compose");
    // Builds copy the checkout. Without these files, the later builds find all their layers in the cache.
    await Promise.all(["proxies.csv", "domains.csv"].map(async (name) => rm(join(checkout, name))));
    await checkScaler(engine, compose, secrets);
    await makeReports(folder, secrets["ADMIN_PASSWORD"]!, say);
    // Checks only the setting of a read-only root filesystem. With it, writes outside of volumes and `/tmp` fail.
    for (const container of containers) {
      const isReadOnly = await inspect(engine, container, "{{.HostConfig.ReadonlyRootfs}}");
      assertTrue(isReadOnly === "true", `The root filesystem of ${container} can be written.`);
    }
    const readme = parseCodeBlocks(await readFile(join(checkoutFolder, "README.md"), "utf8"));
    // The README's commands build without a revision. With the revision of the earlier builds, Docker reuses all their layers.
    await guides.run("export REVISION=$(git rev-parse HEAD)");
    for (const block of readme.filter((each) => each.runner === runner)) {
      const printed = await guides.run(block.code);
      assertTrue(printed.includes("PROXY_DOMAIN"), `The README's commands list no report types:\n${printed}`);
    }
    await guides.runBlock("upgrade", "docker compose");
    await untilHealthy(engine, containers);
    const second = await compose("logs", "commands");
    assertTrue(second.includes("nothing was changed"), `A second start has changed the user:\n${second}`);
    assertTrue(!second.includes("REVOKE"), `database-roles reports rights that must be revoked by hand:\n${second}`);
    guides.assertAllRan();
    await compose("stop", "api", "worker");
    await assertExited(engine, containers);
    say("A second start changes nothing, and both processes exit with 0 after SIGTERM.");
  } catch (error) {
    const log = await compose("logs", "--tail", "60").catch(String);
    throw new CommandExitError(`${(error as Error).message}\n\n${log}`);
  }
  await compose("down", "--volumes");
}

async function writeSecrets(path: string): Promise<Readonly<Record<string, string>>> {
  const example = await readFile(join(checkoutFolder, "deploy/example.env"), "utf8");
  const names = [...example.matchAll(/^(\w+)=$/gm)].map(([, name]) => name!);
  const secrets = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString("hex")]));
  const lines = Object.entries(secrets).map(([name, secret]) => `${name}=${secret}\n`);
  await writeFile(path, lines.join(""), { mode: 0o600 });
  return secrets;
}

type Compose = DockerEngine["run"];
type Secrets = Readonly<Record<string, string>>;

async function checkPreparation(compose: Compose, secrets: Secrets): Promise<void> {
  const createUsers = ["exec", "-T", "postgres", "sh", "/docker-entrypoint-initdb.d/create-users.sh"];
  assertTrue(!(await isFulfilled(compose(...createUsers))), "create-users.sh continued although a user existed.");
  const log = await compose("logs", "postgres");
  const passwords = Object.values(secrets).filter((password) => log.includes(password));
  assertTrue(passwords.length === 0, "Postgres has logged a password.");
  const page = await (await fetch(`${url}/console`)).text();
  assertTrue(page.includes("console/"), "The API serves no console.");
  for (const [service, command] of [
    ["api", "check-report-types"],
    ["worker", "check-report-types"],
    ["worker", "reconcile"],
    ["worker", "store-marker"],
  ] as const) {
    const usage = await compose("exec", "-T", service, command, "--help");
    assertTrue(usage.includes("Usage"), `${command} --help prints no usage.`);
  }
}

/** Checks the chart's queries for the autoscaler: while no worker runs, they must count the one report that waits. */
async function checkScaler(engine: DockerEngine, compose: Compose, secrets: Secrets): Promise<void> {
  await compose("stop", "worker");
  const gateway = connect(secrets["ADMIN_PASSWORD"]!);
  await gateway.reports.start({ reportType: "PROXY", format: "csv" });
  const [address] = (
    await inspect(engine, "report-gateway-postgres-1", "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}")
  ).split(" ");
  const waiting = await sumScalerQueries(
    `postgres://postgres:${secrets["POSTGRES_PASSWORD"]}@${address}:5432/postgres`,
  );
  assertTrue(waiting === 1, `One report waits, and KEDA would count ${waiting}.`);
  await compose("start", "worker");
}

function connect(password: string) {
  return createGateway({ baseUrl: url, credentials: { name: "admin", password } });
}

async function makeReports(folder: string, password: string, say: (sentence: string) => void): Promise<void> {
  const gateway = connect(password);
  for (const { type, formats } of builtInReportTypes)
    for (const format of Object.keys(formats)) {
      const { rowCount } = await gateway.reports.run(
        { reportType: type, format },
        { to: join(folder, "report"), timeoutMs: patienceMs },
      );
      say(`${type} ${format}: ${rowCount} rows`);
    }
}

/** Waits until the engine's health checks of these containers succeed. */
export async function untilHealthy(engine: DockerEngine, containers: readonly string[]): Promise<void> {
  for (const container of containers)
    await waitFor(async () => (await inspect(engine, container, "{{.State.Health.Status}}")) === "healthy", {
      what: `${container} to be healthy`,
      timeoutMs: patienceMs,
    });
}

export async function assertExited(engine: DockerEngine, containers: readonly string[]): Promise<void> {
  for (const container of containers) {
    const code = await inspect(engine, container, "{{.State.ExitCode}}");
    assertTrue(code === "0", `After SIGTERM ${container} exited with ${code}.`);
  }
}

export async function inspect(engine: DockerEngine, what: string, format: string): Promise<string> {
  return (await engine.run("inspect", "--format", format, what)).trim();
}

export function assertTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CommandExitError(message);
}
