import { parentPort, workerData } from "node:worker_threads";
import { drawSvg } from "./logo-drawing.ts";

// Drawing runs in a thread, so that its memory is freed when the thread ends.
parentPort?.postMessage(await drawSvg(workerData as Uint8Array), []);
