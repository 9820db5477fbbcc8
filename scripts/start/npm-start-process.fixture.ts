import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, readSourceStartVariables, startProcess, type StandProcess } from "@reports/testing";
import { parseCodeBlocks, parsePageSteps } from "../test/documents/parse-page-steps.ts";

const root = join(import.meta.dirname, "../..");

export interface NpmStartProcess {
  readonly command: StandProcess;
  readonly dataDir: string;
  readonly port: number;
}

export function createNpmStartFixture() {
  const commands: StandProcess[] = [];
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "reports-start-"));
    folders.push(folder);
    // If root runs the test, Postgres runs as another user, who must be able to enter the folder.
    chmodSync(folder, 0o755);
    return folder;
  };
  return {
    newFolder,
    /** Runs `npm start` with only these variables. Variables of the developer's shell would take precedence over the development values. */
    async start(
      environment: Record<string, string> = {},
      dataDir = join(newFolder(), "data"),
    ): Promise<NpmStartProcess> {
      const port = Number(environment["PORT"] ?? (await findFreePort()));
      // Set explicitly, because the workers of parallel starts would otherwise choose the same free port.
      const workerPort = String(await findFreePort());
      const command = runNpmStart(["--data", dataDir], { PORT: String(port), WORKER_PORT: workerPort, ...environment });
      commands.push(command);
      return { command, dataDir, port };
    },
    newProject(): string {
      const folder = newFolder();
      const packages = join(folder, "node_modules");
      mkdirSync(join(packages, "@reports"), { recursive: true });
      symlinkSync(join(root, "node_modules/.bin"), join(packages, ".bin"));
      for (const name of ["client", "core"])
        symlinkSync(join(root, "packages", name), join(packages, "@reports", name));
      symlinkSync(join(root, "packages/core/node_modules/zod"), join(packages, "zod"));
      return folder;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(commands.map(async (command) => command.stop()));
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function runNpmStart(args: readonly string[], environment: Record<string, string> = {}): StandProcess {
  return startProcess({
    name: "npm start",
    args: ["--conditions=@reports/source", join(root, "scripts/start.ts"), ...args],
    environment: {
      ...readSourceStartVariables(),
      // Makes the worker pass these variables to its renderers.
      REPORT_TYPES_ENV_PREFIX: "NODE_",
      // Starts one renderer instead of two.
      WORKER_CONCURRENCY: "1",
      // On a busy machine, a list or a preview can take longer than the default limits.
      LIST_TIMEOUT_SECONDS: "30",
      PREVIEW_TIMEOUT_SECONDS: "30",
      ...environment,
    },
  });
}

/** Returns the variables of the command with which a guide starts the service. Throws an Error if the guide has no such command for this test. */
export function readStartVariables(page: string, fill: (commands: string) => string): Record<string, string> {
  const blocks = parseCodeBlocks(readFileSync(join(root, page), "utf8"));
  const code = blocks.find(({ runner }) => runner === "scripts/start/npm-start-process.test.ts")?.code ?? "";
  const [, words] = /^((?:\w+=\S+ )+)npm start\n$/.exec(fill(code)) ?? [];
  if (words === undefined) throw new Error(`${page} has no command that sets variables for npm start.`);
  const pairs = words.trim().split(" ");
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

export async function waitForNpmStart({ command }: NpmStartProcess): Promise<void> {
  await command.waitForLog("The report gateway is ready", 120_000);
}

/** Returns the process IDs that the data folder lists: `npm start` itself, the worker, the API. */
export function readProcessIds({ dataDir }: NpmStartProcess): readonly number[] {
  return readFileSync(join(dataDir, "processes"), "utf8").split("\n").map(Number);
}

function readCredentials({ dataDir }: Pick<NpmStartProcess, "dataDir">): {
  readonly passwords: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8")) as ReturnType<typeof readCredentials>;
}

export async function getAsReader(
  run: NpmStartProcess,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`reader:${readCredentials(run).passwords["reader"]}`).toString("base64")}`;
  return fetch(`http://127.0.0.1:${run.port}/v1${path}`, { headers: { authorization, ...headers } });
}

export async function countSchedules(run: NpmStartProcess): Promise<number> {
  return ((await (await getAsReader(run, "/report-schedules")).json()) as readonly unknown[]).length;
}

export async function runPastedCommands(commands: string, folder: string): Promise<string> {
  // NODE_OPTIONS of the tests is removed, because the shell of a reader does not have it.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder, env });
  return stdout;
}

export function replacePagePlaceholders({ command, dataDir, port }: NpmStartProcess, page: string): string {
  const { passwords } = readCredentials({ dataDir });
  const [, databaseUrl = ""] = /^ {2}psql '(.+)'$/m.exec(command.log()) ?? [];
  // On a page, PASSWORD stands for the password of the demo user whose name precedes it on the same line.
  const user = new RegExp(String.raw`\b(${Object.keys(passwords).join("|")})(\W[^\n]{0,30}?)?\bPASSWORD\b`, "g");
  return page
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/reports\.example\.com/g, `http://127.0.0.1:${port}`)
    .replaceAll("/path/to/report-gateway", root)
    .replaceAll("'DATABASE_URL'", `'${databaseUrl}'`)
    .replaceAll(user, (_, name: string, between = "") => `${name}${between}${passwords[name]}`);
}

export function readReadmeCommands(heading: string, run: NpmStartProcess): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const section = readme.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return parsePageSteps(replacePagePlaceholders(run, section))
    .map(({ commands }) => commands)
    .join("\n");
}
