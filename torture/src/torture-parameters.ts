import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { protectionMutations } from "./protection-mutations.ts";
import { findUnmatchedEdits } from "./processes/rewrite-sources-on-load.ts";
import type { TortureStoreKind } from "./stand/store.ts";

export type TortureParameters = NonNullable<ReturnType<typeof parseTortureParameters>>;

export class TortureUsageError extends Error {
  override readonly name = "UsageError";
}

export const tortureHelpText = `Usage: pnpm torture [SCENARIO] [options]

Runs API instances, workers, Postgres and the store as real processes, breaks them, and checks what docs/reference/guarantees.md promises.

  chaos              (default) random faults in parallel: kills, freezes, restarts, network faults, cancels, poison pills
  rolling-deploy     new instances replace old ones while downloads stream and reports run
  graceful-exits     a worker gets SIGTERM while it works, --times times: no lock, row or scratch file is left
  postgres-restarts  --times immediate restarts under load: the API's processes keep running
  store-away         the store is down for --minutes: no report fails
  fuzz               --times valid and invalid requests over raw connections: no 5xx, and a response to each
  attacks            attacks on an API instance, one after another; other callers send --times rounds of requests during each
  aborted-downloads  --times downloads from --store that callers abort: no file or connection is left open
  overload           ten times as many starts as the workers can run for --minutes: quick 429s, and reports still run
  clock              the clock of one worker is 10 minutes ahead, another's behind; without and with kills (needs libfaketime)
  failpoints         a worker or renderer is killed, throws or stops at each moment of an attempt; --times rounds; at least
                     --clients 40 --concurrency 6
  crowded-starts     16 callers start more reports than their limits allow, while an API instance is killed, throws or stops in the
                     middle of a batch of starts; --times rounds
  swapped-store      the store is missing or empty for a while, --times times, while files and records are compared
  restored-backup    the database is older than the store for a while, as after a restore
  frozen-postgres    Postgres stops for longer than the API waits for it, --times times, while reports are started
  closed-lane        the lane of long reports has no worker for a while, --times times
  foreign-jobs       another app has jobs in the same database while --times workers are killed
  damaged-files      a stored file is overwritten or truncated, --times times
  jumping-clock      Postgres's clock jumps by ten minutes and back, --times times (needs libfaketime)
  killed-shard       the server with half of a source's rows is killed while a report reads it, --times times
  lagging-replica    reports are read from a standby that is far behind
  mutation-check     switches off one protection of the service per run, and expects each run to find a violation

  --seed S           determines the requests and the order of faults; default: random, and printed
  --reports N        default 300        --kills N      default 30
  --times N          default 10; fuzz 20000, attacks 200, aborted-downloads 500, failpoints and crowded-starts 1, lasting faults 4
  --minutes M        default 60, after which nothing new begins; 1 for store-away and overload
  --clients N        default 16         --apis N       default 2
  --workers N        default 2          --concurrency N  of a worker; default 2
  --schedules N      schedules in chaos, whose runs are one second apart, repeatedly; default 300
  --store KIND       minio or files; default minio
  --pause S          longest pause between two short faults other than kills, in seconds; default 6
  --long-pause S     pause between two lasting faults (frozen Postgres, swapped store, damaged file, lane without a worker, jump of
                     Postgres's clock), in seconds; default 150, 0 for no lasting faults
  --clocks M         in chaos, clocks of workers are M minutes ahead, behind or right, and jump, as does Postgres's clock (needs
                     libfaketime); default 0; 10 with --short
  --broken-spool     one more worker in chaos whose spool is read-only, removed or full for a while and at the end (needs root)
  --other-key        one more worker in chaos that cannot open the secrets of webhooks
  --silent-dns       twelve webhooks in chaos use host names of a name server that never answers
  --patience S       how long a client waits for its report, in seconds; default 300
  --mutate NAME      switch off a protection: ${Object.keys(protectionMutations).join(", ")}
  --old PATH         checkout of an older version with installed packages, whose instances rolling-deploy replaces; default: this
                     version replaces itself
  --only TEXT        only faults whose name contains this text, and no poison pills; in attacks, failpoints, crowded-starts
                     and mutation-check, only such attacks, failpoints and mutations
  --keep             keep the processes' logs even if no invariant was violated
  --short            the form for CI: 60 reports, 6 kills. Chaos also has --clocks 10, --broken-spool, --other-key and --silent-dns. Switch
                     them off by --clocks 0, --no-broken-spool, --no-other-key and --no-silent-dns

Exit codes: 0 no invariant was violated, 1 one was, 2 wrong usage, 3 the harness itself failed.
`;

export function parseTortureParameters(args: readonly string[], scenarios: readonly string[]) {
  const { values, positionals } = parseArguments(args);
  if (values.help === true) return null;
  const short = values.short === true;
  const scenario = positionals[0] ?? scenarioOf(values.mutate);
  if (!scenarios.includes(scenario) || positionals.length > 1) {
    throw new TortureUsageError(
      `There is no scenario ${JSON.stringify(positionals.join(" "))}. There are: ${scenarios.join(", ")}.`,
    );
  }
  const given = values.store ?? "minio";
  if (given !== "minio" && given !== "files")
    throw new TortureUsageError(`--store must be minio or files, and is ${given}.`);
  const store: TortureStoreKind = given;
  if (values.old !== undefined && !existsSync(join(values.old, "torture/src/processes/worker-main.ts"))) {
    throw new TortureUsageError(`--old must be a checkout of this repository, and is ${values.old}.`);
  }
  const unmatched = findUnmatchedEdits(protectionMutations[values.mutate ?? ""]?.edits ?? []);
  if (unmatched.length > 0) {
    throw new TortureUsageError(
      `The mutation ${values.mutate} does not match ${unmatched[0]!.file}. Update the text of the edit.`,
    );
  }
  if (values.mutate !== undefined && !Object.hasOwn(protectionMutations, values.mutate)) {
    throw new TortureUsageError(
      `--mutate must be one of ${Object.keys(protectionMutations).join(", ")}, and is ${values.mutate}.`,
    );
  }
  // `--short` adds faults to `chaos`, but not for a mutation: there only the mutation may cause a violation.
  const isWhole = short && scenario === "chaos" && values.mutate === undefined;
  return {
    scenario,
    store,
    brokenSpool: values["broken-spool"] ?? isWhole,
    otherKey: values["other-key"] ?? isWhole,
    silentDns: values["silent-dns"] ?? isWhole,
    mutate: values.mutate,
    old: values.old,
    only: values.only ?? "",
    keep: values.keep === true,
    seed: parseNumber("seed", values.seed, Math.floor(Math.random() * 1_000_000)),
    reports: parseNumber("reports", values.reports, short ? 60 : 300),
    kills: parseNumber("kills", values.kills, short ? 6 : 30),
    times: parseNumber("times", values.times, defaultTimesOf(scenario, short)),
    minutes: parseNumber("minutes", values.minutes, scenario === "store-away" || scenario === "overload" ? 1 : 60),
    clients: parseNumber("clients", values.clients, 16),
    apis: parseNumber("apis", values.apis, 2),
    workers: parseNumber("workers", values.workers, 2),
    concurrency: parseNumber("concurrency", values.concurrency, 2),
    schedules: parseNumber("schedules", values.schedules, short ? 10 : values.mutate === undefined ? 300 : 0),
    /** Minutes by which the clocks of workers are wrong, and by which their clocks and Postgres's jump. 0: all clocks are right. */
    clockMinutes: parseNumber("clocks", values.clocks, isWhole ? 10 : 0),
    pauseSeconds: parseNumber("pause", values.pause, 6),
    /** Seconds between two lasting faults. Infinity switches lasting faults off. */
    longPauseSeconds: parseNumber("long-pause", values["long-pause"], short ? 15 : 150) || Infinity,
    patienceSeconds: parseNumber("patience", values.patience, short ? 150 : 300),
  };
}

const counts = ["seed", "reports", "kills", "times", "clients", "apis", "workers", "concurrency", "schedules"] as const;
const durations = ["minutes", "pause", "long-pause", "clocks", "patience"] as const;
const textOptions = [...counts, ...durations, "store", "mutate", "old", "only"] as const;
const switches = ["broken-spool", "other-key", "silent-dns", "keep", "short"] as const;

function declareOptions<Type extends "string" | "boolean", Name extends string>(type: Type, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, { type }])) as Record<Name, { readonly type: Type }>;
}

function parseArguments(args: readonly string[]) {
  try {
    const options = { ...declareOptions("string", textOptions), ...declareOptions("boolean", switches) };
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    throw new TortureUsageError(`${(error as Error).message} See --help.`);
  }
}

function scenarioOf(mutation: string | undefined): string {
  return protectionMutations[mutation ?? ""]?.run.split(" ")[0] ?? "chaos";
}

const longFaultScenarios: ReadonlySet<string> = new Set([
  "swapped-store",
  "frozen-postgres",
  "closed-lane",
  "foreign-jobs",
  "damaged-files",
  "jumping-clock",
  "killed-shard",
]);

function defaultTimesOf(scenario: string, short: boolean): number {
  if (scenario === "fuzz") return short ? 2_000 : 20_000;
  if (scenario === "attacks") return short ? 20 : 200;
  if (scenario === "aborted-downloads") return short ? 100 : 500;
  if (scenario === "failpoints" || scenario === "crowded-starts") return 1;
  if (longFaultScenarios.has(scenario)) return short ? 2 : 4;
  return short ? 4 : 10;
}

function parseNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text.replaceAll("_", ""));
  if (!Number.isFinite(value) || value < 0) throw new TortureUsageError(`--${name} must be a number, and is ${text}.`);
  return value;
}
