import { readFileSync } from "node:fs";
import { join } from "node:path";

export function readStartScriptFlags(root: string, app: "api" | "worker"): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "apps", app, "package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}
