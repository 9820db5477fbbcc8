import { join } from "node:path";
import { runProcessToEnd } from "./start-process.ts";
import type { ProcessEnvironment } from "./stand-process.ts";

export const checkoutFolder = join(import.meta.dirname, "../../../..");

export type AppName = "api" | "worker";

export interface ProgramSpec {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly environment?: ProcessEnvironment;
}

export function appProgramOf(app: AppName, checkout = checkoutFolder): ProgramSpec {
  return moduleFromSources(`apps/${app}/src/main.ts`, checkout);
}

export async function runMigrateCommand(databaseUrl: string, checkout?: string): Promise<void> {
  await runModuleOrThrow("packages/db/src/commands/migrate.ts", [], { DATABASE_URL: databaseUrl }, checkout);
}

export function createDemoDataLoader(
  { proxies, domains }: { readonly proxies: number; readonly domains: number },
  checkout?: string,
): (databaseUrl: string) => Promise<void> {
  return async (databaseUrl) => {
    await runMigrateCommand(databaseUrl, checkout);
    const sizes = ["--proxies", String(proxies), "--domains", String(domains)];
    await runModuleOrThrow("scripts/commands/demo-data.ts", sizes, { DATABASE_URL: databaseUrl }, checkout);
  };
}

function moduleFromSources(path: string, checkout = checkoutFolder): ProgramSpec {
  return { args: ["--conditions=@reports/source", join(checkout, path)] };
}

async function runModuleOrThrow(
  path: string,
  args: readonly string[],
  environment: ProcessEnvironment,
  checkout?: string,
): Promise<void> {
  const program = moduleFromSources(path, checkout);
  const { end, log } = await runProcessToEnd({ name: path, args: [...program.args, ...args], environment });
  if (end !== 0) throw new Error(`${path} ended with ${end}:\n${log}`);
}
