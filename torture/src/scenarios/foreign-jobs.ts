import { killWorker } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { createLongFaultScenario } from "./long-fault.ts";

/** Workers are killed while another app has jobs in the same database. Only the service's own jobs may be rescued. */
export const foreignJobs = createLongFaultScenario(killWorker, { background: runForeignApp });
