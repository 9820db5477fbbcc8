import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutations } from "./mutations.ts";
import { findUnmatchedEdits } from "./processes/rewrite-sources.ts";
import type { StoreKind } from "./stand/store.ts";

export type Parameters = NonNullable<ReturnType<typeof readParameters>>;

/** The message is for a person. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const helpText = `Usage: pnpm torture [SCENARIO] [options]

Runs API instances, workers, Postgres and the store as real processes, breaks them, and checks what docs/reference/guarantees.md promises.

  chaos              (default) everything at once, at random: kills, freezes, restarts, a bad network, cancels, poison
  rolling-deploy     old and new instances side by side while downloads stream and reports run
  graceful-exits     workers are isNoticed to stop while they work, --times over: no lock, no row, no scratch file is left
  postgres-restarts  --times immediate restarts under load: the API's processes stay
  store-away         the store is away for --minutes: no report fails
  fuzz               --times requests of every kind and of no kind over raw connections: no 5xx, no answer left out
  attacks            one kind of attack after the other on an API instance; other callers send --times requests during each
  aborted-downloads  --times downloads that their callers break off: nothing is left open; --store says from where
  overload           ten times what the worker manages for --minutes: quick 429s, and the work goes on
  clock              one worker's clock is 10 minutes ahead, another's behind; with and without kills (needs libfaketime)
  failpoints         a worker or renderer is killed, throws or stands still at each moment of an attempt; --times rounds
  swapped-store      the store is away or empty for a while and comes back, --times over, while it is compared with the records
  restored-backup    an older state of the database under the newer store, then the newer one again
  frozen-postgres    Postgres stands still for longer than the API waits for it, --times over, under starts
  closed-lane        the lane of long reports has no worker for a while, --times over
  foreign-jobs       another app's jobs in the same database, while workers are killed --times
  damaged-files      stored files are replaced or shortened, --times over
  jumping-clock      Postgres's clock jumps ten minutes and back, --times over (needs libfaketime)
  killed-shard       a server that holds half the rows of a source is killed under its reports, --times over
  lagging-replica    reports are read from a standby that is far behind
  mutation-check     switches one protection off at a time and expects every run to go red

  --seed S           what happens, and in which order; default: random, and printed
  --reports N        default 300        --kills N      default 30
  --times N          default 10; 20000 requests, 200 during each attack, 500 downloads, 1 round of failpoints, 4 lasting faults
  --minutes M        default 60: after that nothing new is begun; store-away and overload last 1
  --clients N        default 16         --apis N       default 2
  --workers N        default 2          --concurrency N  of a worker; default 2
  --schedules N      of chaos; default 300, a second apart, again and again
  --store KIND       minio or files; default minio
  --pause S          longest pause between two faults that are no kill, in seconds; default 6
  --long-pause S     pause between two faults that last (frozen Postgres, swapped store, damaged file, lane without a worker),
                     in seconds; default 150, 0 for none of them
  --clocks M         clocks of workers M minutes ahead, behind or right in chaos; they jump, and so does Postgres's (needs libfaketime);
                     default 0; 10 with --short
  --broken-spool     one more worker in chaos whose spool is read-only, removed or full for a while and at the end (needs root)
  --other-key        one more worker in chaos that cannot open the secrets of webhooks
  --silent-dns       twelve webhooks of one owner in chaos lead to names of a name server that never answers
  --patience S       how long a client waits for its report, in seconds; default 300
  --mutate NAME      ${Object.keys(mutations).join(", ")}: switch this protection off
  --old PATH         a checkout of an older version with its packages installed, whose instances rolling-deploy replaces;
                     left out: this version replaces itself
  --only TEXT        only faults whose name holds this text, and no poison; of attacks and of mutation-check, only such attacks and mutations
  --keep             keep the processes' logs of a run that held, too
  --short            60 reports, 6 kills: the form for CI. Of chaos with --clocks 10, --broken-spool, --other-key and --silent-dns, unless
                     one is switched off by --clocks 0, --no-broken-spool, --no-other-key or --no-silent-dns

Exit codes: 0 everything held, 1 something did not, 2 wrong usage, 3 the harness itself failed.
`;

/** Returns null if help is requested. Throws UsageError. */
export function readParameters(args: readonly string[], scenarios: readonly string[]) {
  const { values, positionals } = parse(args);
  if (values.help === true) return null;
  const short = values.short === true;
  const scenario = positionals[0] ?? scenarioOf(values.mutate);
  if (!scenarios.includes(scenario) || positionals.length > 1) {
    throw new UsageError(
      `There is no scenario ${JSON.stringify(positionals.join(" "))}. There are: ${scenarios.join(", ")}.`,
    );
  }
  const given = values.store ?? "minio";
  if (given !== "minio" && given !== "files") throw new UsageError(`--store must be minio or files, and is ${given}.`);
  const store: StoreKind = given;
  if (values.old !== undefined && !existsSync(join(values.old, "torture/src/processes/worker-main.ts"))) {
    throw new UsageError(`--old must be a checkout of this repository, and is ${values.old}.`);
  }
  const unmatched = findUnmatchedEdits(mutations[values.mutate ?? ""]?.edits ?? []);
  if (unmatched.length > 0) {
    throw new UsageError(`The mutation ${values.mutate} no longer fits ${unmatched[0]!.file}; bring it up to date.`);
  }
  if (values.mutate !== undefined && !Object.hasOwn(mutations, values.mutate)) {
    throw new UsageError(`--mutate must be one of ${Object.keys(mutations).join(", ")}, and is ${values.mutate}.`);
  }
  // A run with a mutation must fail by the mutation alone.
  const isWhole = short && scenario === "chaos" && values.mutate === undefined;
  return {
    scenario,
    store: store,
    brokenSpool: values["broken-spool"] ?? isWhole,
    otherKey: values["other-key"] ?? isWhole,
    /** Whether workers ask a name server that never answers, and webhooks of one owner hold names. */
    silentDns: values["silent-dns"] ?? isWhole,
    mutate: values.mutate,
    /** Checkout of an older version, for a deploy. */
    old: values.old,
    only: values.only ?? "",
    keep: values.keep === true,
    seed: number("seed", values.seed, Math.floor(Math.random() * 1_000_000)),
    reports: number("reports", values.reports, short ? 60 : 300),
    kills: number("kills", values.kills, short ? 6 : 30),
    /** Restarts, exits, requests, downloads or rounds, if the scenario counts those. */
    times: number("times", values.times, timesOf(scenario, short)),
    /** After this time nothing new begins. */
    minutes: number("minutes", values.minutes, scenario === "store-away" || scenario === "overload" ? 1 : 60),
    clients: number("clients", values.clients, 16),
    apis: number("apis", values.apis, 2),
    workers: number("workers", values.workers, 2),
    concurrency: number("concurrency", values.concurrency, 2),
    schedules: number("schedules", values.schedules, short ? 10 : values.mutate === undefined ? 300 : 0),
    /** How wrong the clocks of workers are, and how far they and Postgres's clock jump; 0 for right clocks. */
    clockMinutes: number("clocks", values.clocks, isWhole ? 10 : 0),
    pauseSeconds: number("pause", values.pause, 6),
    /** Pause between two lasting faults; Infinity for none. */
    longPauseSeconds: number("long-pause", values["long-pause"], short ? 15 : 150) || Infinity,
    patienceSeconds: number("patience", values.patience, short ? 150 : 300),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        seed: { type: "string" },
        reports: { type: "string" },
        kills: { type: "string" },
        times: { type: "string" },
        minutes: { type: "string" },
        clients: { type: "string" },
        apis: { type: "string" },
        workers: { type: "string" },
        concurrency: { type: "string" },
        schedules: { type: "string" },
        pause: { type: "string" },
        "long-pause": { type: "string" },
        clocks: { type: "string" },
        "broken-spool": { type: "boolean" },
        "other-key": { type: "boolean" },
        "silent-dns": { type: "boolean" },
        patience: { type: "string" },
        store: { type: "string" },
        mutate: { type: "string" },
        old: { type: "string" },
        only: { type: "string" },
        keep: { type: "boolean" },
        short: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message} See --help.`);
  }
}

function scenarioOf(mutation: string | undefined): string {
  return mutations[mutation ?? ""]?.run.split(" ")[0] ?? "chaos";
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

function timesOf(scenario: string, short: boolean): number {
  if (scenario === "fuzz") return short ? 2_000 : 20_000;
  if (scenario === "attacks") return short ? 20 : 200;
  if (scenario === "aborted-downloads") return short ? 100 : 500;
  if (scenario === "failpoints") return 1;
  if (longFaultScenarios.has(scenario)) return short ? 2 : 4;
  return short ? 4 : 10;
}

function number(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text.replaceAll("_", ""));
  if (!Number.isFinite(value) || value < 0) throw new UsageError(`--${name} must be a number, and is ${text}.`);
  return value;
}
