// The entry point on a machine that has only Node 20 and npm. Installs the dependencies of the lockfile if necessary, then runs a command on the
// pinned Node. It runs before the installation, so it is plain JavaScript without dependencies.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname ?? fail("Node 20.11 or newer is needed."), "..");
const manifest =
  /** @type {{ devEngines: { packageManager: { version: string } }, optionalDependencies: Record<string, string> }} */ (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  );
const parent = process.ppid;
const stampFile = join(root, "node_modules", ".provisioned");
const pinnedNode = nodeOf(`node-${process.platform}-${process.arch}`);

/** @type {Record<string, string[]>} Arguments of Node per command. The caller's parameters follow them. */
const commands = {
  install: [],
  start: ["--conditions=@reports/source", join(root, "scripts", "start.ts")],
  dev: ["--conditions=@reports/source", join(root, "scripts", "start.ts"), "--watch"],
  test: [join(root, "node_modules", "vitest", "vitest.mjs"), "run"],
};

const [command = "", ...parameters] = process.argv.slice(2);
if (!Object.hasOwn(commands, command))
  fail(`Unknown command ${JSON.stringify(command)}. Known: ${Object.keys(commands).join(", ")}.`);

await provision();
const first = commands[command] ?? [];
process.exitCode = first.length === 0 ? 0 : await run(pinnedNode, [...first, ...parameters], environment());

async function provision() {
  const stamp = fingerprint();
  if (existsSync(stampFile) && existsSync(pinnedNode) && readFileSync(stampFile, "utf8") === stamp) return;
  console.error(
    `Installing the dependencies with pnpm ${manifest.devEngines.packageManager.version} (once; needs the npm registry) …`,
  );
  const found = spawnSync(process.execPath, [join(root, "scripts", "install-pnpm.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  const install = ["install", "--frozen-lockfile", "--config.confirmModulesPurge=false"];
  const code = found.status === 0 ? await run(found.stdout.trim(), install, process.env) : 1;
  if (code !== 0)
    fail(
      "The installation failed; its output is above. Check that the npm registry can be reached (npm ping) and that the disk has room, then try again.",
    );
  if (!existsSync(pinnedNode))
    fail(`The installation brought no Node: ${pinnedNode} is missing. Remove node_modules and try again.`);
  mkdirSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/**
 * Returns the path of the Node that the lockfile pins for this platform. If the lockfile has none, returns the running Node if it is new enough.
 * @param {string} name
 */
function nodeOf(name) {
  if (Object.hasOwn(manifest.optionalDependencies, name)) return join(root, "node_modules", name, "bin", "node");
  if (Number.parseInt(process.versions.node, 10) < 24)
    fail(`On ${process.platform} (${process.arch}) Node 24 or newer is needed; this is ${process.version}.`);
  return process.execPath;
}

/** Returns a hash of all files and values that determine an installation. If it is unchanged, provision.mjs installs nothing. */
function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  const packages = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
  const manifests = [".", "scripts", ...packages].map((folder) => join(folder, "package.json"));
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    if (existsSync(join(root, file))) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function environment() {
  const path = [join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);
  return { ...process.env, PATH: path };
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code, as a shell would return it
 */
function run(program, args, env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: "inherit" });
    /** @type {NodeJS.Signals[]} */
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    // Forwards signals to the child and waits for it, because the child decides how to end.
    for (const signal of signals) process.on(signal, () => child.kill(signal));
    // npm sends SIGTERM only to its shell, not to this process. So this process treats the end of its parent, the shell, as SIGTERM.
    if (process.env.npm_lifecycle_event)
      setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 1000).unref();
    child.once("error", (error) => {
      console.error(`${program} cannot be run: ${error.message}`);
      resolve(127);
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
