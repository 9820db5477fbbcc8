import { globSync } from "node:fs";
import { cp, mkdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "./run-program.ts";

/** Copies all files that git does not ignore, so that the guides write nothing into a developer's checkout. */
export async function copyCheckout(target: string): Promise<void> {
  await mkdir(target);
  const copy = `git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- -c | tar -C "$1" -x`;
  await runProgram({ folder: checkoutFolder }, "bash", ["-euo", "pipefail", "-c", copy, "bash", target]);
}

/**
 * Variables for pnpm in a copy by `copyInstalledCheckout`. Without them, pnpm sees that the copy has another path than the installation, and installs
 * again through the link to the checkout's packages. Their programs would then point to the copy, which is removed later.
 */
export const installedCopyEnvironment = { pnpm_config_verify_deps_before_run: "false" };

/** Copies the checkout, with its installed packages: a link to those of the root, and copies of the links in the other folders of packages. */
export async function copyInstalledCheckout(target: string): Promise<void> {
  // The copy must find everything installed, because an installation in it would change the packages of the checkout.
  await runProgram({ folder: checkoutFolder }, process.execPath, ["scripts/provision.mjs", "install"]);
  await copyCheckout(target);
  await symlink(join(checkoutFolder, "node_modules"), join(target, "node_modules"));
  const folders = globSync("{packages/*,apps/*,scripts,torture,bench}/node_modules", { cwd: checkoutFolder });
  for (const folder of folders)
    await cp(join(checkoutFolder, folder), join(target, folder), { recursive: true, verbatimSymlinks: true });
}

/** Throws a CommandExitError if a program of the checkout's packages is now a link to the copy. */
export async function assertPackagesUnchanged(copy: string): Promise<void> {
  const program = join(checkoutFolder, "node_modules/.bin/node");
  const link = await readlink(program);
  if (link.startsWith(copy))
    throw new CommandExitError(`${program} is now a link to ${link}. Install the packages again.`);
}
