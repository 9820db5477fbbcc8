import { mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runVisibly } from "../machine/run-program.ts";

export const openApiToolsFolder = join(checkoutFolder, "openapi-tools");
export const generatedClientsFolder = join(openApiToolsFolder, "generated");

export async function runOpenApiTool(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = openApiToolsFolder,
): Promise<void> {
  const folders = [
    join(openApiToolsFolder, "node_modules/.bin"),
    join(checkoutFolder, "node_modules/.bin"),
    environment["PATH"] ?? process.env["PATH"],
  ];
  // The linters must not check for updates or report their usage, because CI may have no Internet access.
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NODE_OPTIONS: "" };
  const variables = { ...process.env, ...quiet, ...environment, PATH: folders.join(delimiter) };
  const code = await runVisibly({ folder, environment: variables }, program, args, 2);
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
