import { killWorker } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { underLongFault } from "./long-fault.ts";

/** Workers are killed while another app works in the same database: theirs is taken over, the other's is left alone. */
export const foreignJobs = underLongFault(killWorker, { beside: runForeignApp });
