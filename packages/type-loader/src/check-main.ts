import { enableCompileCache } from "node:module";
import type { CheckMessage } from "./check-module.ts";
import { startWatchdog } from "./start-watchdog.ts";

const [name = "", directory = "", timeoutMs = "0", compileCache = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(1));
// The channel to the parent must not keep the process alive while a module awaits something that never happens.
process.channel?.unref();
if (compileCache !== "") enableCompileCache(compileCache);

// This import runs after the compile cache is on, and before the module's time limit starts. So its duration does not count.
const { importModule } = await import("./import-module.ts");
await sendToParent({ kind: "importing" });
// If the parent is killed while the module runs an endless loop, the watchdog ends this process.
startWatchdog(Number(timeoutMs) + 1_000);
const importResult = await importModule(name, directory);
await sendToParent({
  kind: "verdict",
  verdict: importResult.ok
    ? { ok: true, types: importResult.reportTypes.map(({ definition }) => definition.type) }
    : importResult,
});
// Timers and connections of the module must not keep the process alive.
process.exit(0);

async function sendToParent(message: CheckMessage): Promise<void> {
  await new Promise((resolve) => process.send?.(message, undefined, {}, resolve));
}
