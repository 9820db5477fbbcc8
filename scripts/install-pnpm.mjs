// Brings the pnpm that the lockfile names, and prints where its program is: `pnpm=$(node scripts/install-pnpm.mjs)`. It is the first that
// is downloaded and run on a machine, so that npm compares it with the digest in the lockfile before: a version alone is what the registry
// says it is. Plain JavaScript that needs Node 20 and npm alone.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = /** @type {{ devEngines: { packageManager: { version: string } } }} */ (
  JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
);
const { version } = manifest.devEngines.packageManager;
const folder = join(root, "node_modules", ".pnpm-program");
// pnpm is a native program in the package of its platform; the package `pnpm` only finds it.
const native = `@pnpm/exe.${process.platform}-${process.arch}`;
const integrity = integrityOf(`${native}@${version}`);
// The lockfile holds neither Node nor pnpm for some platforms: there the version is not compared with a digest.
const [name, path] = integrity === undefined ? ["pnpm", ".bin/pnpm"] : [native, `${native}/pnpm`];
const program = join(folder, "node_modules", path);
const dependencies = { [name]: version };
const lock = {
  lockfileVersion: 3,
  packages: { "": { dependencies }, [`node_modules/${name}`]: { version, integrity } },
};
const stamp = JSON.stringify(lock);
const stampFile = join(folder, ".installed");

if (!existsSync(program) || !existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) install();
process.stdout.write(`${program}\n`);

function install() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  if (integrity !== undefined) writeFileSync(join(folder, "package-lock.json"), stamp);
  else console.error(`The lockfile holds no digest of ${native}: npm takes what the registry has as pnpm ${version}.`);
  const how = integrity === undefined ? ["install"] : ["ci", "--ignore-scripts", "--package-lock"];
  // npm says where its own program is; outside an npm script PATH does.
  const [npm = "npm", ...before] = process.env.npm_execpath?.endsWith(".js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  const args = [...before, ...how, "--prefer-offline", "--no-audit", "--no-fund"];
  // Standard output is for the path.
  const { status, error } = spawnSync(npm, args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (error !== undefined) console.error(`npm cannot be run: ${error.message}`);
  if (status !== 0) {
    console.error(`pnpm ${version} was not installed; what npm says about it is above.`);
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

/** @param {string} id name and version of a package */
function integrityOf(id) {
  const [, entry = ""] = readFileSync(join(root, "pnpm-lock.yaml"), "utf8").split(`\n  '${id}':\n`);
  return /^ +resolution: \{integrity: (sha512-[^},]+)/.exec(entry)?.[1];
}
