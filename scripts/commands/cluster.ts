import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runCommand } from "@reports/commands";
import {
  checkoutFolder,
  debianPostgresFolder,
  findProgramPath,
  listGoProgramFolders,
  isAvailableOrThrowInCi,
} from "@reports/testing";
import { canStartDockerEngine } from "../images/docker-engine.ts";
import { findRefusal, saveAppImages } from "../images/run-isolated.ts";
import { printToStderr } from "./command-stand.ts";
import { createControlGroup, runOnPrivateMachine } from "../cluster/private-machine.ts";
import { writePauseImage } from "../cluster/pause-image.ts";
import { runProgram } from "../packages/run-program.ts";

const programsOfDebian = "etcd containerd ctr runc ip iptables unshare setpriv debootstrap go openssl jq psql".split(
  " ",
);
const programs = join(checkoutFolder, "node_modules/.cache/cluster");

await runCommand(async ({ signal }) => {
  if (!canRun()) return;
  // Installing a program cannot change that the kernel refuses namespaces. So the trial is skipped and does not fail.
  const refusal = await findRefusal();
  if (refusal !== undefined) return printToStderr(`Not tried, because this machine refuses namespaces: ${refusal}`);
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(await realpath(tmpdir()), "reports-cluster-"));
  parts.defer(async () => rm(folder, { recursive: true, force: true }));
  // Postgres runs as another user and reads its certificate there.
  await chmod(folder, 0o755);
  await runProgram({ folder }, "bash", [join(checkoutFolder, "scripts/cluster/build.sh"), programs]);
  printToStderr("Kubernetes is compiled.");
  const images = ["apps.tar", "pause.tar"].map((name) => join(folder, name)) as [string, string];
  await saveAppImages(images[0], signal);
  printToStderr("The images are built.");
  await writePauseImage(images[1], programs);
  const group = parts.use(await createControlGroup(basename(folder)));
  const main = join(checkoutFolder, "scripts/cluster/cluster-main.ts");
  const args = ["--conditions=@reports/source", main, folder, programs, group.name, ...images];
  await runOnPrivateMachine({ folder, args, environment: { ...process.env, TMPDIR: folder }, signal });
});

function canRun(): boolean {
  const hasOthers = isAvailableOrThrowInCi(
    "root, etcd, containerd, runc, the plugins of container networks, iproute2, iptables, debootstrap, helm, Go, Debian's PostgreSQL 15, openssl and jq, and MinIO's server and client",
    process.getuid?.() === 0 &&
      ["/usr/lib/cni/ptp", join(debianPostgresFolder, "postgres")].every((path) => existsSync(path)) &&
      programsOfDebian.every((name) => findProgramPath(name) !== null) &&
      ["minio", "mc", "helm"].every((name) => findProgramPath(name, listGoProgramFolders()) !== null),
  );
  return hasOthers && canStartDockerEngine();
}
