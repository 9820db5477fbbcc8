// Runs before anything is loaded, because an older Node fails to link what follows, with only a stack trace.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Node 24 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(78);
}
const { runMain } = await import("@reports/runtime");
const { runApi } = await import("./run-api.ts");

await runMain(() => runApi(process.env));
