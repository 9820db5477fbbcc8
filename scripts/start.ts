import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { npmStartHelpText, parseNpmStartParameters } from "./start/parameters.ts";
import { NpmStartError } from "./start/npm-start-error.ts";
import type { StartedServiceParts } from "./start/start-development-service.ts";

const root = join(import.meta.dirname, "..");
const runningParts: StartedServiceParts = { stops: [], programs: [] };
const stopController = new AbortController();
let firstSignalAt = 0;
let exitCode = 0;

/** A Ctrl-C can arrive twice: through the process group and through the parent process. A second signal within this many ms is the same Ctrl-C. */
const sameSignalMs = 500;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (firstSignalAt === 0) {
      firstSignalAt = performance.now();
      console.log("\nStopping. Press Ctrl-C again to stop immediately.");
      stopController.abort(new NpmStartError("Stopped before it was ready.", 0));
    } else if (performance.now() - firstSignalAt > sameSignalMs) {
      for (const program of runningParts.programs) void program.kill();
      exitCode = 130;
    }
  });
}

try {
  const parameters = parseNpmStartParameters(process.argv.slice(2), root);
  if (parameters.help) console.log(npmStartHelpText);
  else {
    // Imported late, because the module is slow to load and --help does not need it.
    const { startDevelopmentService } = await import("./start/start-development-service.ts");
    await startDevelopmentService(root, parameters, process.env, runningParts, stopController.signal);
    const { signal } = stopController;
    // Signal handlers do not keep Node running. This timer does, while the service runs in other processes.
    while (!signal.aborted) await wait(60_000, undefined, { signal }).catch(() => undefined);
  }
} catch (error) {
  exitCode = printError(error);
}
for (const stop of runningParts.stops.toReversed()) {
  try {
    await stop();
  } catch (error) {
    exitCode ||= printError(error);
  }
}
process.exit(exitCode);

function printError(error: unknown): number {
  if (stopController.signal.aborted) return 0;
  console.error(error instanceof Error ? error.message : String(error));
  return error instanceof NpmStartError ? error.exitCode : 1;
}
