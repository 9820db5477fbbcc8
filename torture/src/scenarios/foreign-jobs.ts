import { killWorker } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { createLongFaultScenario } from "./long-fault.ts";

/** Kills workers while another app has jobs in the same database. The service may rescue only its own jobs. */
export const foreignJobs = createLongFaultScenario(killWorker, { background: runForeignApp });
