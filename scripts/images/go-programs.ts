import { delimiter } from "node:path";
import { listGoProgramFolders } from "@reports/testing";

/** Returns this process's environment with Go's bin folders on PATH, because .ci/run installs mc and helm there. */
export function createEnvironmentWithGoPrograms(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [process.env.PATH, ...listGoProgramFolders()].filter(Boolean).join(delimiter) };
}
