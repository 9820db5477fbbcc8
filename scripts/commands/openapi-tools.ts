import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CommandExitError } from "@reports/commands";

const root = join(import.meta.dirname, "../..");
export const openApiToolsFolder = join(root, "openapi-tools");
export const generatedClientsFolder = join(openApiToolsFolder, "generated");

export async function runOpenApiTool(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = openApiToolsFolder,
): Promise<void> {
  const folders = [
    join(openApiToolsFolder, "node_modules/.bin"),
    join(root, "node_modules/.bin"),
    environment["PATH"] ?? process.env["PATH"],
  ];
  const child = spawn(program, args, {
    cwd: folder,
    // The linters must not check for updates or report their usage, because CI may have no Internet access.
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      NODE_OPTIONS: "",
      ...environment,
      PATH: folders.join(delimiter),
    },
    stdio: ["ignore", 2, 2],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new CommandExitError(`${program} ${args[0]} ended with ${code}: see above.`, 1);
}

export async function prepareOpenApiTools(origin: string): Promise<string> {
  await runOpenApiTool("pnpm", ["install", "--frozen-lockfile", "--silent"]);
  const response = await fetch(`${origin}/openapi.json`);
  if (!response.ok) throw new CommandExitError(`The API returned ${response.status} for its description.`, 1);
  await rm(generatedClientsFolder, { recursive: true, force: true });
  await mkdir(generatedClientsFolder);
  const path = join(generatedClientsFolder, "openapi.json");
  await writeFile(path, await response.text());
  return path;
}
