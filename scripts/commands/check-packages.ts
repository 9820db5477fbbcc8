import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findApiDifferences } from "../packages/api-report.ts";
import { findPackageFaults } from "../packages/find-package-faults.ts";
import { packPublishedPackages, readPackageManifest } from "../packages/published-packages.ts";
import { runProgram } from "../machine/run-program.ts";
import { CommandExitError, runCommand } from "@reports/commands";

await runCommand(async () => {
  const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
  await using temporary = await mkdtempDisposable(join(tmpdir(), "reports-packages-"));
  const folder = temporary.path;
  const packed = await packPublishedPackages(folder);
  const names = packed.map(({ name }) => name);
  const faults: string[] = [];
  for (const { name, folder: source, tarball } of packed) {
    const unpacked = join(folder, "unpacked", name);
    await mkdir(unpacked, { recursive: true });
    await runProgram({ folder: unpacked }, "tar", ["--extract", "--file", tarball, "--strip-components", "1"]);
    const found = [...findPackageFaults(unpacked, names), ...findApiDifferences(source, values)];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  if (faults.length > 0) throw new CommandExitError(`The packages are not fit for publication:\n${faults.join("\n")}`);
  for (const { name, tarball } of packed) {
    await runProgram({ folder }, "publint", ["run", tarball, "--strict"]);
    // attw checks types. A package without exports has only a command and no types.
    const { exports } = readPackageManifest(join(folder, "unpacked", name, "package.json"));
    if (exports !== undefined) await runProgram({ folder }, "attw", [tarball, "--profile", "esm-only", "--no-emoji"]);
    process.stdout.write(`${name}: fit to be published.\n`);
  }
});
