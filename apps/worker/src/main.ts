// Before anything is loaded, because an older Node cannot even link what follows, and says so by a stack.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Node 24 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(78);
}
const { runMain } = await import("@reports/runtime");
const { runWorker } = await import("./run-worker.ts");

// It is loading modules that takes memory, and running reports that takes time: the flag with which workers are started is for the former.
const { setFlagsFromString } = await import("node:v8");
setFlagsFromString("--no-optimize-for-size");
setFlagsFromString("--heap-growing-percent=50");

await runMain(() => runWorker(process.env));
