import "@reports/runtime/require-node";

// graphile-worker reads the home directory while it is loaded. Without HOME and without an entry in /etc/passwd, that fails.
process.env["HOME"] ??= "/";
const { runMain } = await import("@reports/runtime");
const { runWorker } = await import("./run-worker.ts");
const { setFlagsFromString } = await import("node:v8");

// Workers start with --optimize-for-size, because loading modules then takes 110 MB instead of 140 MB. Afterwards the flag would slow down this
// process by a sixth per report. With a heap that grows by at most half between collections, the process stays at 131 MB.
function stopOptimizingForSize(): void {
  setFlagsFromString("--no-optimize-for-size");
  setFlagsFromString("--heap-growing-percent=50");
}

await runMain(() => runWorker(process.env, { onLoaded: stopOptimizingForSize }));
