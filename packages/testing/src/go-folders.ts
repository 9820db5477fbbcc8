import { homedir } from "node:os";
import { join } from "node:path";

/** The folders into which `go install` may have put programs; to Go, a variable that is empty is one that is not set. */
export function goFolders(): string[] {
  const { GOBIN, GOPATH } = process.env;
  return [...(GOBIN ? [GOBIN] : []), ...(GOPATH ? [join(GOPATH, "bin")] : []), join(homedir(), "go", "bin")];
}
