import { Worker } from "node:worker_threads";
import type { ModuleVerdict } from "./check-module.ts";
import { importModule } from "./import-module.ts";

const [name = "", directory = "", timeoutMs = "0"] = process.argv.slice(2);

// Whoever wants to know may be killed meanwhile, and a module in an endless loop never hears of it: a thread ends the process then.
new Worker("setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(require('worker_threads').workerData))", {
  eval: true,
  workerData: Number(timeoutMs) + 1_000,
}).unref();

const read = await importModule(name, directory);
const verdict: ModuleVerdict = read.ok
  ? { ok: true, types: read.reportTypes.map(({ definition }) => definition.type) }
  : read;
// Timers and connections of the module keep nothing waiting.
process.send?.(verdict, undefined, {}, () => process.exit(0));
