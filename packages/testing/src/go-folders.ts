import { homedir } from "node:os";
import { join } from "node:path";

/** Folders of programs from `go install`; for Go an empty variable is not set. */
export function goFolders(): string[] {
  const { GOBIN, GOPATH } = process.env;
  return [...(GOBIN ? [GOBIN] : []), ...(GOPATH ? [join(GOPATH, "bin")] : []), join(homedir(), "go", "bin")];
}
