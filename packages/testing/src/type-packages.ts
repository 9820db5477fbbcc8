import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const core = fileURLToPath(new URL("../../core", import.meta.url));

/** A folder in which packages of report types are installed: what REPORT_TYPES_DIR names. */
export interface InstalledTypePackages extends AsyncDisposable {
  readonly directory: string;
  /** Installs a package, or puts other contents into one that is there. */
  install(name: string, source: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Installs packages as npm does, into the node_modules of a folder of their own, with core beside them.
 * @param packages the JavaScript of each package's main module, by the package's name.
 */
export async function installTypePackages(packages: Readonly<Record<string, string>>): Promise<InstalledTypePackages> {
  const directory = await mkdtemp(join(tmpdir(), "type-packages-"));
  const folderOf = (name: string): string => join(directory, "node_modules", name);
  await mkdir(dirname(folderOf("@reports/core")), { recursive: true });
  await symlink(core, folderOf("@reports/core"));
  const installed: InstalledTypePackages = {
    directory,
    async install(name, source) {
      await mkdir(folderOf(name), { recursive: true });
      // Nothing but an import is offered, as most packages of ES modules do.
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
