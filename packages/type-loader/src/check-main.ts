import { enableCompileCache } from "node:module";
import { Worker } from "node:worker_threads";
import type { FromCheck } from "./check-module.ts";

const [name = "", directory = "", timeoutMs = "0", compileCache = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(1));
// A module with an endless await must end the process, which has nothing else to wait for.
process.channel?.unref();
if (compileCache !== "") enableCompileCache(compileCache);

// Loaded before the module's time begins, and compiled with the cache.
const { importModule } = await import("./import-module.ts");
await send({ kind: "importing" });
// The checking process may be killed, and a module in an endless loop does not notice: then a thread ends the process.
new Worker("setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(require('worker_threads').workerData))", {
  eval: true,
  workerData: Number(timeoutMs) + 1_000,
}).unref();
const read = await importModule(name, directory);
await send({
  kind: "verdict",
  verdict: read.ok ? { ok: true, types: read.reportTypes.map(({ definition }) => definition.type) } : read,
});
// Timers and connections of the module delay nothing.
process.exit(0);

/** Resolves once it is sent. */
async function send(message: FromCheck): Promise<void> {
  await new Promise((resolve) => process.send?.(message, undefined, {}, resolve));
}
