// Installs the pnpm version of the lockfile and prints the path of its program: `pnpm=$(node scripts/install-pnpm.mjs)`. npm compares the download
// with the digest in the lockfile, because pnpm is the first downloaded program that runs, and a registry could serve any file under a version. Needs
// only Node 20 and npm, so it is plain JavaScript.
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
// A package per platform has the native program of pnpm. The package `pnpm` only starts that program.
const native = `@pnpm/exe.${process.platform}-${process.arch}`;
const integrity = integrityOf(`${native}@${version}`);
// The lockfile lacks the digest for some platforms. There npm installs the package `pnpm` without comparing a digest.
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
  else console.error(`The lockfile has no digest of ${native}: npm installs pnpm ${version} without comparing it.`);
  const how = integrity === undefined ? ["install"] : ["ci", "--ignore-scripts", "--package-lock"];
  // In an npm script, npm_execpath is the path of the running npm. Otherwise `npm` is found on PATH.
  const [npm = "npm", ...before] = process.env.npm_execpath?.endsWith(".js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  const args = [...before, ...how, "--prefer-offline", "--no-audit", "--no-fund"];
  // npm writes to standard error, because standard output has only the path of pnpm.
  const { status, error } = spawnSync(npm, args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (error !== undefined) console.error(`npm cannot be run: ${error.message}`);
  if (status !== 0) {
    console.error(`pnpm ${version} was not installed. npm's output is above.`);
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

/** @param {string} id name and version of a package */
function integrityOf(id) {
  const [, entry = ""] = readFileSync(join(root, "pnpm-lock.yaml"), "utf8").split(`\n  '${id}':\n`);
  return /^ +resolution: \{integrity: (sha512-[^},]+)/.exec(entry)?.[1];
}
