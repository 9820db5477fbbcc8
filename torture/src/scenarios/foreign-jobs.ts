import { killWorker } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { underLongFault } from "./long-fault.ts";

/** Workers are killed while another app works in the same database: only our jobs are rescued. */
export const foreignJobs = underLongFault(killWorker, { background: runForeignApp });
