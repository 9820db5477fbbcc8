// Programs import this module before anything else. An older Node would fail to load some programs with only a stack trace, and no test runs on it.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Node 24 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(78);
}
