import { runMain } from "@reports/runtime";
import { runWorker } from "@reports/worker";
import { fakedClockVariables } from "../stand/faked-clock.ts";
import { importArgument } from "../stand/mutation-import.ts";
import { readReconcileTimes } from "../stand/reconcile-times.ts";
import { harnessTypesEnvironment } from "./harness-types.ts";

const environment = { ...process.env, ...harnessTypesEnvironment };
await runMain(() =>
  runWorker(environment, {
    clocks: (production) => ({
      ...production,
      // Checks every second whether a round of the reconciler is due. In production, a worker checks once per minute.
      reconciliation: { everyMs: 1_000, jitterMs: 500 },
      // A third of the delays between attempts, because a run waits for reports that fail several times.
      retryDelaysMs: production.retryDelaysMs.map((ms) => ms / 3),
    }),
    configure: (config) => ({ ...config, ...readReconcileTimes(process.env) }),
    reconcilerArguments: process.execArgv.filter((argument) => argument.startsWith(importArgument)),
    rendererVariables: [...fakedClockVariables, "NODE_COMPILE_CACHE"],
  }),
);
