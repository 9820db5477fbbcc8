import { parentPort, workerData } from "node:worker_threads";
import { rasteriseSvg } from "./logo-drawing.ts";

// The drawing library runs in a thread of its own, so that its memory is freed when the thread ends.
parentPort?.postMessage(await rasteriseSvg(workerData as Uint8Array), []);
