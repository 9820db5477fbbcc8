import { readFileSync } from "node:fs";

export function readWorkerVersion(): string {
  // The relative path is correct from `src` and from `dist`.
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String((manifest as { version?: unknown }).version);
}
