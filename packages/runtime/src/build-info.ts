import { readFileSync } from "node:fs";

/** The source of a process's build, as in `report_build_info` and its first log line. */
export interface BuildInfo {
  /** Version of the service. */
  readonly version: string;
  /** Commit of the build; `unknown` in a checkout and in a build that knew no commit. */
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
