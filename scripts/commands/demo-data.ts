import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import {
  CommandExitError,
  createTerminalProgress,
  formatInventoryCounts,
  readDatabaseUrl,
  runCommand,
  type CommandContext,
} from "@reports/commands";
import { DomainError } from "@reports/core/base";
import { domainInputRules, proxyInputRules, type Domain, type Proxy } from "@reports/core/inventory";
import { generateDemoInventory, type DemoInventory } from "@reports/testing";

const help = `Usage: pnpm demo-data [--domains N] [--proxies N] [--seed N] [--csv FOLDER]

Adds realistic proxies and domains to the inventory in the database that DATABASE_URL (or the file in DATABASE_URL_FILE)
names, in one transaction. The same seed gives the same names. Expiry times of certificates are around the current date.

  --domains N    default 2500; a million takes less than a minute
  --proxies N    default one per 50 domains, at least 60
  --seed N       default 1
  --csv FOLDER   write proxies.csv and domains.csv for pnpm operate load-inventory instead; needs no database

Exit codes: 0 done, 1 nothing was added, 2 wrong usage, 130 interrupted (nothing was added).
`;

await runCommand(async ({ args, environment, signal }: CommandContext) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      domains: { type: "string" },
      proxies: { type: "string" },
      seed: { type: "string" },
      csv: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return void process.stdout.write(help);
  const inventory = generateDemoInventory({
    ...readIntegerOption("domains", values.domains, 0),
    ...readIntegerOption("proxies", values.proxies, 1),
    ...readIntegerOption("seed", values.seed, 0),
  });
  const done =
    values.csv === undefined
      ? await load(inventory, await readDatabaseUrl(environment), signal)
      : await write(inventory, values.csv, signal);
  process.stdout.write(`${done}\n`);
});

function readIntegerOption(name: string, text: string | undefined, min: number): Record<string, number> {
  if (text === undefined) return {};
  const count = Number(text.replaceAll("_", ""));
  if (!/^[\d_]+$/.test(text) || count < min || count > 100_000_000) {
    throw new CommandExitError(`--${name} must be an integer from ${min} to 100000000, and is ${text}.`, 2);
  }
  return { [name]: count };
}

async function load(
  { proxies, domains, counts }: DemoInventory,
  databaseUrl: string,
  signal: AbortSignal,
): Promise<string> {
  // Imported only when rows are added, because this package is slow to load and --help does not need it.
  const { copyIntoInventory } = await import("@reports/db");
  const progress = createTerminalProgress(process.stderr);
  const total = counts.proxies + counts.domains;
  try {
    const copied = await copyIntoInventory({
      databaseUrl,
      proxies,
      domains,
      signal,
      onProgress: (done) => progress.update((done.proxies + done.domains) / total, `${done.domains} domains`),
    });
    progress.clear();
    return `Added ${formatInventoryCounts(copied)}.`;
  } catch (error) {
    progress.clear();
    if (!(error instanceof DomainError) || error.issues[0]?.code !== "taken") throw error;
    throw new CommandExitError(
      "Nothing was added: the inventory already has records of this seed. Use an empty database.",
    );
  }
}

async function write(inventory: DemoInventory, folder: string, signal: AbortSignal): Promise<string> {
  await mkdir(folder, { recursive: true });
  const names = new Map<string, string>();
  await writeCsv(join(folder, "proxies.csv"), proxyInputRules.fields, rememberNames(inventory.proxies, names), signal);
  await writeCsv(
    join(folder, "domains.csv"),
    ["proxyName", ...domainInputRules.fields],
    withProxyName(inventory.domains, names),
    signal,
  );
  return `Wrote ${join(folder, "proxies.csv")} and ${join(folder, "domains.csv")}.`;
}

function* rememberNames(proxies: Iterable<Proxy>, names: Map<string, string>): Generator<Proxy> {
  for (const proxy of proxies) {
    names.set(proxy.id, proxy.name);
    yield proxy;
  }
}

function* withProxyName(domains: Iterable<Domain>, names: ReadonlyMap<string, string>): Generator<object> {
  for (const domain of domains) yield { ...domain, proxyName: names.get(domain.proxyId) };
}

async function writeCsv(
  path: string,
  fields: readonly string[],
  records: Iterable<object>,
  signal: AbortSignal,
): Promise<void> {
  const output = createWriteStream(path, { signal, highWaterMark: 1 << 20 });
  output.write(`${fields.join(",")}\n`);
  for (const record of records) {
    const cells = fields.map((field) => toCell((record as Record<string, unknown>)[field]));
    if (!output.write(`${cells.join(",")}\n`)) await once(output, "drain", { signal });
  }
  output.end();
  await finished(output, { signal });
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text =
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? value.join(";")
        : `${value as string | number | boolean}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
