import { readFileSync } from "node:fs";

/** The version of the worker, as its package says it. */
export function readVersion(): string {
  // Beside src and beside dist alike.
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String((manifest as { version?: unknown }).version);
}
