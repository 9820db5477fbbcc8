import { fork } from "node:child_process";
import { extname, join } from "node:path";
import { StoreUnavailableError } from "@reports/core/base";
import type { ReconcileOutcome, ReconcileRound } from "@reports/core/report";
import { fileStoreSettingsOf } from "@reports/runtime";
import { tlsTrustVariables } from "@reports/type-loader";
import type { WorkerConfig } from "../config.ts";
import { deserialiseError, type SerialisedError } from "../renderer/protocol.ts";
import type { ReconcileWorkDeps } from "./reconcile-work.ts";
import type { ReconcilerSettings } from "./compose-reconciler.ts";

/** The result of each task. */
export interface ReconcilerOutcomes {
  readonly run: ReconcileRound;
  readonly plan: ReconcileOutcome;
}

/** One round. The worker sends it over the IPC channel, because other processes can read arguments and environments. */
export interface ReconcilerTask {
  readonly does: keyof ReconcilerOutcomes;
  readonly databaseUrl: string;
  readonly store: ReturnType<typeof fileStoreSettingsOf>;
  readonly settings: ReconcilerSettings;
}

export type ReconcilerMessage =
  | { readonly kind: "not-removed"; readonly error: SerialisedError }
  | { readonly kind: "done"; readonly outcome: ReconcilerOutcomes[keyof ReconcilerOutcomes] }
  | { readonly kind: "failed"; readonly error: SerialisedError };

const entry = join(import.meta.dirname, `reconciler-main${extname(import.meta.filename)}`);
/** NODE_COMPILE_CACHE saves a third of the processor time of the start. */
const environmentNames = ["PATH", "TZ", "LANG", ...tlsTrustVariables, "UV_THREADPOOL_SIZE", "NODE_COMPILE_CACHE"];

/**
 * Returns a reconciler that does each round in a process of low priority, so that a round over a large store does not delay reports. An abort kills
 * the process: a round can end after any statement and any removal, as it does when a worker is killed.
 */
export function createReconcilerProcess(
  config: WorkerConfig,
  onRemovalError: (error: unknown) => void,
  nodeArguments: readonly string[] = [],
): ReconcileWorkDeps["reconciler"] {
  const { reconcileEveryMinutes, reconcileAllHours, reconcileMinAgeHours, recordRetentionDays, trashDays } = config;
  const task = {
    databaseUrl: config.databaseUrl.reveal(),
    store: fileStoreSettingsOf(config),
    settings: { reconcileEveryMinutes, reconcileAllHours, reconcileMinAgeHours, recordRetentionDays, trashDays },
  };
  const round = async <Does extends keyof ReconcilerOutcomes>(
    does: Does,
    signal: AbortSignal,
  ): Promise<ReconcilerOutcomes[Does]> => {
    signal.throwIfAborted();
    const child = fork(entry, [], {
      execArgv: [
        ...process.execArgv.filter((argument) => argument.startsWith("--conditions=")),
        "--optimize-for-size",
        ...nodeArguments,
      ],
      env: Object.fromEntries(environmentNames.map((name) => [name, process.env[name]])),
      // Output of the process goes to standard error, because the worker's standard output is its log.
      stdio: ["ignore", 2, "inherit", "ipc"],
    });
    const received: { end?: Exclude<ReconcilerMessage, { kind: "not-removed" }> } = {};
    child.on("message", (message: ReconcilerMessage) => {
      if (message.kind === "not-removed") onRemovalError(deserialiseError(message.error));
      else received.end = message;
    });
    const kill = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    child.on("error", (error) => resolve(error.message));
    child.once("close", (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
    child.send({ ...task, does } satisfies ReconcilerTask, () => undefined);
    try {
      const how = await ended;
      const { end } = received;
      signal.throwIfAborted();
      if (end?.kind === "done") return end.outcome as ReconcilerOutcomes[Does];
      if (end?.kind === "failed") throw deserialiseError(end.error);
      throw new StoreUnavailableError(`The process that compares files and records ended early (${how}).`);
    } finally {
      signal.removeEventListener("abort", kill);
    }
  };
  return {
    run: async (signal) => round("run", signal),
    plan: async (_, signal) => round("plan", signal),
  };
}
