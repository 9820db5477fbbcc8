import { parentPort, workerData } from "node:worker_threads";
import { drawSvg } from "./logo-drawing.ts";

// In a thread, which ends: what drawing took of memory goes with it.
parentPort?.postMessage(await drawSvg(workerData as Uint8Array), []);
