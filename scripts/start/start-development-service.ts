import { join } from "node:path";
import { formatInventoryCounts } from "@reports/commands";
import { migrateDatabase } from "@reports/db";
import { booleanText } from "@reports/runtime";
import { createUnstartedProcess, readStartScriptFlags, type StandProcess } from "@reports/testing";
import { adoptDevelopmentStore } from "./adopt-files.ts";
import { lockDataFolder, readOrCreateSecrets, writeProcessIds, unlockDataFolder } from "./data-folder.ts";
import { buildConsole } from "./build-console.ts";
import { startDevelopmentDatabase } from "./database.ts";
import { demoScheduleOwner, makeDemoSchedule } from "./demo-schedule.ts";
import { createDemoUsers, demoUsers, loadDemoInventory } from "./demo.ts";
import {
  buildDevelopmentEnvironment,
  isVariableSet,
  findProductionProblems,
  readSecretVariable,
} from "./development-environment.ts";
import type { NpmStartEnvironment } from "./development-environment.ts";
import { formatLogLine, wantsColours } from "./format-log-line.ts";
import { migrateInNewProcess } from "./migrate-in-new-process.ts";
import type { NpmStartParameters } from "./parameters.ts";
import { assertPortFree, choosePort } from "./ports.ts";
import { createSourceRestarter } from "./restart-on-change.ts";
import { readNpmStartReportTypes } from "./report-types.ts";
import { NpmStartError } from "./npm-start-error.ts";
import { chooseFirstReport, renderWalkThrough } from "./render-walk-through.ts";
import { watchSources } from "./watch-sources.ts";

/** The started parts of the service. At the end, `stops` are called in reverse order. */
export interface StartedServiceParts {
  readonly stops: (() => Promise<void> | void)[];
  readonly programs: StandProcess[];
}

const colours = wantsColours(process.env, process.stdout.isTTY);
const readyDeadlineMs = 90_000;
const longestRestartDelayMs = 15_000;
/** Maximum characters of a program's log in memory. `npm start` may run for days. */
const maxLogLength = 2 ** 16;

/** Starts all parts and adds them to `running`, even if a later part fails. Resolves when API and worker are ready. Rejects if the signal aborts. */
export async function startDevelopmentService(
  root: string,
  parameters: NpmStartParameters,
  given: NpmStartEnvironment,
  running: StartedServiceParts,
  signal: AbortSignal,
): Promise<void> {
  const problems = given.NODE_ENV === "production" ? findProductionProblems(given) : [];
  if (problems.length > 0)
    throw new NpmStartError(
      `This is not a production configuration:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`,
      78,
    );
  const { dataDir } = parameters;
  // Claiming the folder ends the processes of a killed start, which may use the ports. So it comes before the check of the ports.
  await lockDataFolder(dataDir);
  running.stops.push(() => unlockDataFolder(dataDir));
  const host = given.HOST || "127.0.0.1";
  const port = parseNumber(given.PORT, 3000);
  await assertPortFree(host, port, "PORT");
  if (given.WORKER_PORT) await assertPortFree(host, parseNumber(given.WORKER_PORT, 3001), "WORKER_PORT");

  const reportTypes = await readNpmStartReportTypes(given);
  const credentials = readOrCreateSecrets(
    dataDir,
    demoUsers.map(({ name }) => name),
  );
  const embedded = !isVariableSet(given, "DATABASE_URL");
  const databaseUrl = embedded ? await startDatabase(dataDir, credentials.databasePassword, running) : "";
  signal.throwIfAborted();
  if (given.NODE_ENV !== "production") {
    await migrateDatabase({
      databaseUrl: embedded ? databaseUrl : readSecretVariable(given, "DATABASE_URL"),
      ...(given.QUEUE_SCHEMA ? { queueSchema: given.QUEUE_SCHEMA } : {}),
      signal,
      onProgress: say,
    });
  }
  if (embedded) await fillDatabase(databaseUrl, dataDir, credentials.passwords, reportTypes.authorities);
  // Chosen just before the worker starts, because another program could take a free port meanwhile.
  const workerPort = await choosePort(host, port === 3001 ? 3002 : 3001);
  const environment = {
    ...buildDevelopmentEnvironment(given, { ...credentials, databaseUrl, dataDir, port, workerPort }),
    ...reportTypes.environment,
  };
  if (embedded && !isVariableSet(given, "STORAGE_DIR") && environment.STORAGE_DIR !== undefined) {
    await adoptDevelopmentStore(databaseUrl, environment.STORAGE_DIR, given.STORAGE_PREFIX || undefined);
  }
  signal.throwIfAborted();
  await buildConsole(root);
  say("Starting API and worker.");
  // Watches before the programs load their sources, so that it misses no change.
  const restartFrom = parameters.watch ? watch(root, running) : undefined;
  const originOf = (portOf: string | undefined): string => `http://${urlHost(host)}:${portOf}`;
  const worker = program(root, "worker", originOf(environment.WORKER_PORT), environment, running, dataDir);
  const api = program(root, "api", originOf(environment.PORT), environment, running, dataDir);
  await Promise.all([waitUntilReady(worker, signal), waitUntilReady(api, signal)]);
  const mayMigrate = given.NODE_ENV !== "production";
  restartFrom?.(
    createSourceRestarter({
      programs: running.programs,
      buildConsole: async () => buildConsole(root),
      migrate: async () => (mayMigrate ? migrateInNewProcess({ root, environment, signal, say }) : undefined),
      say,
      signal,
    }),
  );
  const { origin } = api;
  const demo = embedded ? { passwords: credentials.passwords, databaseUrl } : null;
  const definitions = reportTypes.types.map(({ definition }) => definition);
  if (demo !== null) {
    const password = demo.passwords[demoScheduleOwner] ?? "";
    // Only prints a failure, because the service works without the demo schedule.
    await makeDemoSchedule({ origin, dataDir, password, ...chooseFirstReport(definitions) }).catch((error: unknown) =>
      say(error instanceof Error ? error.message : String(error)),
    );
  }
  const hasConsole = booleanText().parse(environment["CONSOLE"] || "true");
  say(
    `\n${renderWalkThrough({ origin, basePath: environment["PUBLIC_BASE_PATH"] ?? "", demo, hasConsole, definitions })}\n`,
  );
}

async function startDatabase(dataDir: string, password: string, running: StartedServiceParts): Promise<string> {
  say("Starting the embedded Postgres.");
  const server = await startDevelopmentDatabase(dataDir, password);
  running.stops.push(async () => {
    say("Stopping Postgres.");
    await server.stop("fast", { keepData: true });
  });
  say(`Postgres ${server.major} is running; its data are in ${server.dataDir}.`);
  return server.url;
}

async function fillDatabase(
  databaseUrl: string,
  dataDir: string,
  passwords: Readonly<Record<string, string>>,
  reportAuthorities: readonly string[],
): Promise<void> {
  await createDemoUsers(databaseUrl, passwords, reportAuthorities);
  const loaded = await loadDemoInventory(databaseUrl, dataDir);
  if (loaded !== null) say(`Loaded demo data: ${formatInventoryCounts(loaded)}.`);
}

function program(
  root: string,
  name: "api" | "worker",
  origin: string,
  environment: Record<string, string>,
  running: StartedServiceParts,
  dataDir: string,
): StandProcess {
  const tell = (line: string): void => console.log(formatLogLine(name, line, colours));
  const started = createUnstartedProcess({
    name,
    args: [
      ...readStartScriptFlags(root, name),
      "--conditions=@reports/source",
      join(root, "apps", name, "src", "main.ts"),
    ],
    environment,
    cwd: root,
    origin,
    supervised: { longestDelayMs: longestRestartDelayMs },
    maxLogLength,
    onLine: tell,
    onChange: () =>
      writeProcessIds(
        dataDir,
        running.programs.flatMap(({ pid }) => pid ?? []),
      ),
    onEnd(how, restartMs) {
      const text = typeof how === "number" ? `exit code ${how}` : how;
      if (restartMs !== null) tell(`ended unexpectedly (${text}), starting again in ${restartMs / 1000} s`);
    },
  });
  running.programs.push(started);
  running.stops.push(async () => {
    say(`Stopping the ${name}.`);
    await started.stop();
  });
  started.start();
  return started;
}

async function waitUntilReady(started: StandProcess, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  try {
    await Promise.race([started.ready(readyDeadlineMs), aborted.promise]);
  } catch (error) {
    if (signal.aborted) throw error;
    // The program's log is already on the terminal, so the error message does not repeat it.
    const { name, origin, pid } = started;
    if (pid !== null)
      throw new NpmStartError(`The ${name} is not ready after ${readyDeadlineMs / 1000} s (${origin}/health/ready).`);
    const how = await started.ended;
    const code = typeof how === "number" ? how : 1;
    throw new NpmStartError(`The ${name} ended while starting (exit code ${code}); its output is above.`, code);
  }
}

/** Watches the sources. Returns a function that sets the handler of changes. The handler also gets the changes before it was set. */
function watch(
  root: string,
  running: StartedServiceParts,
): (handle: (files: readonly string[]) => Promise<void>) => void {
  const handler = Promise.withResolvers<(files: readonly string[]) => Promise<void>>();
  running.stops.push(watchSources(root, (files) => void handler.promise.then(async (handle) => handle(files))));
  return handler.resolve;
}

function parseNumber(text: string | undefined, otherwise: number): number {
  const number = Number(text || otherwise);
  // The API reports an invalid port together with all other invalid variables, so this uses the default.
  return Number.isInteger(number) && number >= 0 && number <= 65_535 ? number : otherwise;
}

function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function say(message: string): void {
  console.log(message);
}
