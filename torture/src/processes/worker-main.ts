import { runMain } from "@reports/runtime";
import { runWorker } from "@reports/worker";
import { shortTimes } from "../stand/short-times.ts";
import { ownTypes } from "./own-types.ts";

/** What makes a process's clock wrong: libfaketime. */
const clockVariables = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

const environment = { ...process.env, ...ownTypes };
await runMain(() =>
  runWorker(environment, {
    configure: (config) => ({ ...config, ...shortTimes(process.env) }),
    rendererVariables: [...clockVariables, "NODE_COMPILE_CACHE"],
  }),
);
