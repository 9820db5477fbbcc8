import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "@reports/commands";
import { debianPostgresFolder, findProgramPath, listGoProgramFolders, isAvailableOrThrowInCi } from "@reports/testing";
import { canStartDockerEngine } from "../images/docker-engine.ts";
import { findRefusal, runIsolated, saveAppImages } from "../images/run-isolated.ts";
import { printToStderr } from "./command-stand.ts";

const programs = ["debootstrap", "go", "openssl", "jq", "curl", "psql", "unshare", "nsenter", "ip", "iptables-restore"];

function canRun(): boolean {
  const hasOthers = isAvailableOrThrowInCi(
    "root, debootstrap, iproute2, Go, Debian's PostgreSQL 15, openssl and jq, and MinIO's server and client",
    process.getuid?.() === 0 &&
      existsSync(join(debianPostgresFolder, "postgres")) &&
      programs.every((name) => findProgramPath(name) !== null) &&
      ["minio", "mc"].every((name) => findProgramPath(name, listGoProgramFolders()) !== null),
  );
  return hasOthers && canStartDockerEngine();
}

await runCommand(async ({ args, signal }) => {
  const { save } = parseArgs({ args: [...args], options: { save: { type: "string" } } }).values;
  if (!canRun()) return;
  // Installing a program cannot change that the kernel refuses namespaces. So the trial is skipped and does not fail.
  const refusal = await findRefusal();
  if (refusal !== undefined) return printToStderr(`Not tried, because this machine refuses namespaces: ${refusal}`);
  await (save === undefined ? runIsolated([], signal) : saveAppImages(resolve(save), signal));
});
