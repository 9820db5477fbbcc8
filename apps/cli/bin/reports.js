#!/usr/bin/env node
// npm links this file before any build, so it must exist without one. In a checkout it runs `src`, elsewhere `dist`.
import { existsSync } from "node:fs";

if (Number.parseInt(process.versions.node, 10) < 22) {
  process.stderr.write(`reports needs Node 22.12 or newer, and this is ${process.versions.node}.\n`);
  process.exit(2);
}
const isCheckout = existsSync(new URL("../src/main.ts", import.meta.url));
if (isCheckout) {
  const { registerHooks } = await import("node:module");
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@reports/source"] }),
  });
}
await import(isCheckout ? "../src/main.ts" : "../dist/main.js");
