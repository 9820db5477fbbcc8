import { parentPort, workerData } from "node:worker_threads";
import { drawSvg } from "./logo-drawing.ts";

// The end of the thread frees the memory that drawing took.
parentPort?.postMessage(await drawSvg(workerData as Uint8Array), []);
