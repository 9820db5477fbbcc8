// Before anything is loaded, because an older Node cannot even link what follows, and says so by a stack.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Node 24 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(78);
}
// A library of graphile-worker asks for the home directory when it is loaded, which a user has none of whom neither HOME nor /etc/passwd knows.
process.env["HOME"] ??= "/";
const { runMain } = await import("@reports/runtime");
const { runWorker } = await import("./run-worker.ts");

// Workers are started with --optimize-for-size for their modules: without it loading them takes 140 MB instead of 110. It would cost every
// report a sixth of the time that this process takes for it. A heap that grows by half between collections stays at 131 MB.
const { setFlagsFromString } = await import("node:v8");
setFlagsFromString("--no-optimize-for-size");
setFlagsFromString("--heap-growing-percent=50");

await runMain(() => runWorker(process.env));
