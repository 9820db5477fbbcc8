import { delimiter } from "node:path";
import { goFolders } from "@reports/testing";

/** This process's environment with Go's programs on PATH: .ci/run installs mc and helm there. */
export function environmentWithGoPrograms(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [process.env.PATH, ...goFolders()].filter(Boolean).join(delimiter) };
}
