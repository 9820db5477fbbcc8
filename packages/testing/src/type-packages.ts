import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const corePackageFolder = fileURLToPath(new URL("../../core", import.meta.url));

export interface InstalledReportTypePackages extends AsyncDisposable {
  readonly directory: string;
  install(name: string, source: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Installs packages of report types into `node_modules` of a temporary folder, as npm does, together with `@reports/core`.
 * @param packages JavaScript of each package's main module, by package name.
 */
export async function installReportTypePackages(
  packages: Readonly<Record<string, string>>,
): Promise<InstalledReportTypePackages> {
  const directory = await mkdtemp(join(tmpdir(), "type-packages-"));
  const folderOf = (name: string): string => join(directory, "node_modules", name);
  await mkdir(dirname(folderOf("@reports/core")), { recursive: true });
  await symlink(corePackageFolder, folderOf("@reports/core"));
  const installed: InstalledReportTypePackages = {
    directory,
    async install(name, source) {
      await mkdir(folderOf(name), { recursive: true });
      // Like most ES module packages, this one exports only an `import` condition.
      const manifest = { name, version: "1.0.0", type: "module", exports: { ".": { import: "./index.js" } } };
      await writeFile(join(folderOf(name), "package.json"), JSON.stringify(manifest));
      await writeFile(join(folderOf(name), "index.js"), source);
    },
    remove: async (name) => rm(folderOf(name), { recursive: true }),
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true, force: true }),
  };
  for (const [name, source] of Object.entries(packages)) await installed.install(name, source);
  return installed;
}
