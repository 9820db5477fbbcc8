#!/usr/bin/env node
// There before any build: in a checkout it runs the sources, as tests and development do, elsewhere what was built of them.
import { existsSync } from "node:fs";

const isCheckout = existsSync(new URL("../src/main.ts", import.meta.url));
if (isCheckout) {
  const { registerHooks } = await import("node:module");
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@reports/source"] }),
  });
}
await import(isCheckout ? "../src/main.ts" : "../dist/main.js");
