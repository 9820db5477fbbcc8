import { join } from "node:path";
import { runToEnd } from "./start-process.ts";
import type { Environment } from "./stand-process.ts";

export const thisCheckout = join(import.meta.dirname, "../../../..");

export type App = "api" | "worker";

/** Node's flags, main module and arguments. */
export interface Program {
  readonly args: readonly string[];
  readonly cwd?: string;
  /** In addition to the variables of the stand. */
  readonly environment?: Environment;
}

/** Returns the program of an app as `npm start` runs it: its sources, without a build. */
export function sourcesOf(app: App, checkout = thisCheckout): Program {
  return fromSources(`apps/${app}/src/main.ts`, checkout);
}

/** Brings a database to the version of a checkout with its `migrate` command. */
export async function runMigrate(databaseUrl: string, checkout?: string): Promise<void> {
  await runOrThrow("packages/db/src/commands/migrate.ts", [], { DATABASE_URL: databaseUrl }, checkout);
}

/** Returns what makes a database ready with the commands of a checkout: tables, and an inventory of this size. */
export function withDemoData(
  { proxies, domains }: { readonly proxies: number; readonly domains: number },
  checkout?: string,
): (databaseUrl: string) => Promise<void> {
  return async (databaseUrl) => {
    await runMigrate(databaseUrl, checkout);
    const sizes = ["--proxies", String(proxies), "--domains", String(domains)];
    await runOrThrow("scripts/commands/demo-data.ts", sizes, { DATABASE_URL: databaseUrl }, checkout);
  };
}

function fromSources(path: string, checkout = thisCheckout): Program {
  return { args: ["--conditions=@reports/source", join(checkout, path)] };
}

async function runOrThrow(
  path: string,
  args: readonly string[],
  environment: Environment,
  checkout?: string,
): Promise<void> {
  const program = fromSources(path, checkout);
  const { end, log } = await runToEnd({ name: path, args: [...program.args, ...args], environment });
  if (end !== 0) throw new Error(`${path} ended with ${end}:\n${log}`);
}
