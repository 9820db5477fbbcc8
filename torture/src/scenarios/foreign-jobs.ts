import { killWorker } from "../faults/kills.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { besieged } from "./besieged.ts";

/** Workers are killed while another app works in the same database: theirs is taken over, the other's is left alone. */
export const foreignJobs = besieged(killWorker, { beside: runForeignApp });
