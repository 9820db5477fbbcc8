import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** This process's environment, with Go's folder of programs on its PATH: .ci/run installs mc and helm there. */
export function environmentWithGoPrograms(): NodeJS.ProcessEnv {
  const { PATH, GOBIN, GOPATH } = process.env;
  const folders = [PATH, GOBIN, join(GOPATH ?? join(homedir(), "go"), "bin")];
  return { ...process.env, PATH: folders.filter(Boolean).join(delimiter) };
}
