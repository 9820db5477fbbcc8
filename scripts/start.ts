import { join } from "node:path";
import { helpText, readParameters } from "./start/parameters.ts";
import { StartFailure } from "./start/start-failure.ts";
import type { Running } from "./start/start-service.ts";

const root = join(import.meta.dirname, "..");
const running: Running = { stops: [], programs: [] };
const stopping = new AbortController();
let firstSignalAt = 0;
let exitCode = 0;

/** A second signal within this time is the same Ctrl-C, which arrives through the process group and again through the parent process. */
const sameSignalMs = 500;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (firstSignalAt === 0) {
      firstSignalAt = performance.now();
      console.log("\nStopping. Press Ctrl-C again to stop immediately.");
      stopping.abort(new StartFailure("Stopped before it was ready.", 0));
    } else if (performance.now() - firstSignalAt > sameSignalMs) {
      for (const program of running.programs) void program.kill();
      exitCode = 130;
    }
  });
}

try {
  const parameters = readParameters(process.argv.slice(2), root);
  if (parameters.help) console.log(helpText);
  else {
    // Imported late, because it is slow to load and --help does not need it.
    const { startService } = await import("./start/start-service.ts");
    await startService(root, parameters, process.env, running, stopping.signal);
    await new Promise<void>((resolve) => {
      if (stopping.signal.aborted) resolve();
      stopping.signal.addEventListener("abort", () => resolve(), { once: true });
      // A timer keeps the process running, because signal handlers alone do not.
      const heartbeat = setInterval(() => undefined, 60_000);
      stopping.signal.addEventListener("abort", () => clearInterval(heartbeat), { once: true });
    });
  }
} catch (error) {
  exitCode = report(error);
}
for (const stop of running.stops.toReversed()) {
  try {
    await stop();
  } catch (error) {
    exitCode ||= report(error);
  }
}
process.exit(exitCode);

/** Prints the message of an error without a stack. Returns the exit code. */
function report(error: unknown): number {
  if (stopping.signal.aborted) return 0;
  console.error(error instanceof Error ? error.message : String(error));
  return error instanceof StartFailure ? error.exitCode : 1;
}
