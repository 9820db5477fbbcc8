import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import {
  createUnstartedProcess,
  findFreePort,
  checkoutFolder,
  type AppName,
  type StandProcess,
} from "@reports/testing";

export interface PlatformProcess {
  readonly app: AppName;
  readonly name: string;
  readonly port: number;
  readonly probePort: number;
  process: StandProcess | null;
}

export async function createPlatformDeployment(folder: string) {
  const instances: PlatformProcess[] = [];
  for (const app of ["worker", "worker", "api", "api"] as const) {
    const port = await findFreePort();
    const probePort = app === "api" ? await findFreePort() : port;
    const number = instances.filter((each) => each.app === app).length + 1;
    instances.push({ app, name: `${app}-${number}`, port, probePort, process: null });
  }
  const of = (app: AppName): readonly PlatformProcess[] => instances.filter((each) => each.app === app);
  /** The checkout of the repository whose programs run: first the previous version, later this one. */
  let checkout = checkoutFolder;

  async function start(instance: PlatformProcess): Promise<void> {
    const { app, name, port, probePort } = instance;
    const ports = app === "api" ? { PORT: port, PROBE_PORT: probePort } : { WORKER_PORT: port };
    instance.process = createUnstartedProcess({
      name,
      args: ["--conditions=@reports/source", join(checkout, `apps/${app}/src/main.ts`)],
      origin: `http://127.0.0.1:${probePort}`,
      environment: {
        ...(await readVariables(folder, app)),
        ...Object.fromEntries(Object.entries(ports).map(([variable, value]) => [variable, String(value)])),
        HOST: "127.0.0.1",
        // Compiled sources make starts faster. REPORT_TYPES_ENV_PREFIX makes the worker pass the variable on to its renderers.
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        // On a busy machine, a list or a preview can take longer than the default limits.
        ...(app === "api" && { LIST_TIMEOUT_SECONDS: "30", PREVIEW_TIMEOUT_SECONDS: "30" }),
        ...(app === "worker" && { REPORT_TYPES_ENV_PREFIX: "NODE_COMPILE_" }),
      },
      logPath: join(folder, `${name}.log`),
    });
    instance.process.start();
    await instance.process.ready();
  }

  async function stop({ process, name }: PlatformProcess): Promise<void> {
    const code = await process?.stop();
    if (process !== null && code !== 0)
      throw new CommandExitError(`${name} ended with ${String(code)} after SIGTERM.`, 1);
  }

  async function restart(instance: PlatformProcess): Promise<void> {
    await stop(instance);
    await start(instance);
  }

  async function roll(app: AppName): Promise<void> {
    for (const instance of of(app)) await restart(instance);
  }

  return {
    instances: instances as readonly Readonly<PlatformProcess>[],
    runFrom: (path: string): void => void (checkout = path),
    /** Starts the workers before the API instances. In a new deployment, a worker writes the store ID, and the API is not ready without it. */
    async startAll(): Promise<void> {
      for (const app of ["worker", "api"] as const) await Promise.all(of(app).map(start));
    },
    stopAll: async (): Promise<void> => void (await Promise.all(instances.map(stop))),
    roll,
    /** Restarts one worker and one API instance, and calls `halfway` while old and new settings are both in use. Then restarts the others. */
    async rollBoth(halfway: () => Promise<void>): Promise<void> {
      await Promise.all([restart(of("worker")[0]!), restart(of("api")[0]!)]);
      await halfway();
      await Promise.all([restart(of("worker")[1]!), restart(of("api")[1]!)]);
    },
    read: async (app: AppName): Promise<Readonly<Record<string, string>>> => readVariables(folder, app),
    /** Changes the variables of an app in its env file, which a process reads when it starts. Null removes a variable. */
    async change(app: AppName, changes: Readonly<Record<string, string | null>>): Promise<void> {
      const variables = { ...(await readVariables(folder, app)), ...changes };
      const lines = Object.entries(variables).flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${value}\n`],
      );
      await writeFile(join(folder, `${app}.env`), lines.join(""));
    },
    async findProblems(): Promise<readonly string[]> {
      const ended = instances.flatMap(({ name, process }) =>
        (process?.unexpectedEnds ?? []).map((end) => `${name} ended by itself: ${end}`),
      );
      const logs = await Promise.all(
        instances.map(async ({ name }) => {
          const log = await readFile(join(folder, `${name}.log`), "utf8").catch(() => "");
          return findErrors(log).map((line) => `${name}: ${line}`);
        }),
      );
      return [...ended, ...logs.flat()];
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(instances.map(async ({ process }) => process?.kill()));
    },
  };
}

function findErrors(log: string): readonly string[] {
  return log.split("\n").filter((line) => /"level":"(error|fatal)"/.test(line) && !line.includes("28P01"));
}

async function readVariables(folder: string, app: AppName): Promise<Readonly<Record<string, string>>> {
  const lines = (await readFile(join(folder, `${app}.env`), "utf8")).trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
