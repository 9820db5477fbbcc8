import { homedir } from "node:os";
import { join } from "node:path";

/** Returns the folders in which `go install` stores programs. Go treats an empty variable as unset. */
export function listGoProgramFolders(): string[] {
  const { GOBIN, GOPATH } = process.env;
  return [...(GOBIN ? [GOBIN] : []), ...(GOPATH ? [join(GOPATH, "bin")] : []), join(homedir(), "go", "bin")];
}
