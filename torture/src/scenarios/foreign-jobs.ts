import { killWorker } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { createLongFaultScenario } from "./long-fault.ts";

export const foreignJobs = createLongFaultScenario(killWorker, { background: runForeignApp });
