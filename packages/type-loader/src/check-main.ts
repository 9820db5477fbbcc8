import { enableCompileCache } from "node:module";
import type { ModuleCheckMessage } from "./check-report-type-module.ts";
import { startProcessWatchdog } from "./start-process-watchdog.ts";

const [name = "", directory = "", timeoutMs = "0", compileCache = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(1));
// The channel to the parent must not keep the process alive while a module awaits something that never happens.
process.channel?.unref();
if (compileCache !== "") enableCompileCache(compileCache);

// This import runs after the compile cache is on, and before the module's time limit starts. So its duration does not count.
const { importReportTypeModule } = await import("./import-report-type-module.ts");
await sendToParent({ kind: "importing" });
// If the parent is killed while the module runs an endless loop, the watchdog ends this process. It waits much longer than the parent, because the
// parent can be late on a busy machine, and only the parent names the time limit as the cause.
startProcessWatchdog(Number(timeoutMs) + 10_000);
const importResult = await importReportTypeModule(name, directory);
await sendToParent({
  kind: "verdict",
  verdict: importResult.ok
    ? { ok: true, types: importResult.reportTypes.map(({ definition }) => definition.type) }
    : importResult,
});
// Timers and connections of the module must not keep the process alive.
process.exit(0);

async function sendToParent(message: ModuleCheckMessage): Promise<void> {
  await new Promise((resolve) => process.send?.(message, undefined, {}, resolve));
}
