import { killWorkerFault } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { createLongFaultScenario } from "./long-fault.ts";

export const foreignJobsScenario = createLongFaultScenario(killWorkerFault, { background: runForeignApp });
