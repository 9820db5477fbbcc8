import { readFileSync } from "node:fs";

export interface BuildInfo {
  readonly version: string;
  /** Git commit of the build. `unknown` if the build did not record it, as in a checkout. */
  readonly revision: string;
}

/**
 * Reads the version from the app's package.json, and the commit from the file `revision`, which deploy/build-app.sh writes next to it.
 *
 * @param moduleUrl `import.meta.url` of a module in the app's `dist` or `src`.
 */
export function readBuildInfo(moduleUrl: string): BuildInfo {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", moduleUrl), "utf8")) as BuildInfo;
  return { version, revision: readRevision(moduleUrl) };
}

function readRevision(moduleUrl: string): string {
  try {
    return readFileSync(new URL("../revision", moduleUrl), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "unknown";
    throw error;
  }
}
