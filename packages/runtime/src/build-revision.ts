import { readFileSync } from "node:fs";

/**
 * Of which commit a built app was made, as deploy/build-app.sh notes it in the file `revision` beside `dist`; `unknown` where there is none, as
 * in a checkout.
 *
 * @param moduleUrl `import.meta.url` of a module in the app's `dist` or `src`.
 */
export function readBuildRevision(moduleUrl: string): string {
  try {
    return readFileSync(new URL("../revision", moduleUrl), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "unknown";
    throw error;
  }
}
