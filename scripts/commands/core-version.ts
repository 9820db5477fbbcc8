import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@reports/commands";

const core = join(import.meta.dirname, "../../packages/core");

/** Part of `pnpm release-versions`: writes the version of the package into the constant that report types carry. */
await runCommand(async () => {
  const { version } = JSON.parse(readFileSync(join(core, "package.json"), "utf8")) as { readonly version: string };
  const file = join(core, "src/base/version.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace(/(coreVersion = ")[^"]*"/, `$1${version}"`));
});
