import { runMain } from "@reports/runtime";
import { runWorker } from "@reports/worker";
import { clockVariables } from "../stand/faked-clock.ts";
import { shortTimes } from "../stand/short-times.ts";
import { ownTypes } from "./own-types.ts";

const environment = { ...process.env, ...ownTypes };
await runMain(() =>
  runWorker(environment, {
    // The service checks once a minute whether a comparison is due.
    clocks: (production) => ({ ...production, reconciliation: { everyMs: 1_000, jitterMs: 500 } }),
    configure: (config) => ({ ...config, ...shortTimes(process.env) }),
    rendererVariables: [...clockVariables, "NODE_COMPILE_CACHE"],
  }),
);
