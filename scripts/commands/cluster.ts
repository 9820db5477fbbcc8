import { basename, join } from "node:path";
import { runCommand } from "@reports/commands";
import { checkoutFolder, debianPostgresFolder } from "@reports/testing";
import { canStartDockerEngine } from "../images/docker-engine.ts";
import { runIsolated } from "../images/run-isolated.ts";
import { printToStderr } from "./command-stand.ts";
import { runOnPrivateMachine } from "../cluster/private-machine.ts";
import { writePauseImage } from "../cluster/pause-image.ts";
import { createControlGroup, removeControlGroup } from "../machine/control-groups.ts";
import { allowsNamespaces } from "../machine/run-in-namespaces.ts";
import { runProgram } from "../machine/run-program.ts";
import { canRunTrial, createTrialFolder } from "../machine/trial-machine.ts";

const neededPrograms = `/usr/lib/cni/ptp ${debianPostgresFolder}/postgres etcd containerd ctr runc ip iptables unshare setpriv debootstrap go openssl jq psql minio mc helm`;
const programs = join(checkoutFolder, "node_modules/.cache/cluster");

await runCommand(async ({ signal }) => {
  const needs =
    "root, etcd, containerd, runc, the plugins of container networks, iproute2, iptables, debootstrap, helm, Go, Debian's PostgreSQL 15, openssl and jq, and MinIO's server and client";
  if (!canRunTrial(needs, neededPrograms) || !canStartDockerEngine() || !(await allowsNamespaces())) return;
  await using parts = new AsyncDisposableStack();
  const { path: folder } = parts.use(await createTrialFolder("reports-cluster-"));
  await runProgram({ folder }, "bash", [join(checkoutFolder, "scripts/cluster/build.sh"), programs]);
  printToStderr("Kubernetes is compiled.");
  const images = ["apps.tar", "pause.tar"].map((name) => join(folder, name)) as [string, string];
  await runIsolated([images[0]], signal);
  printToStderr("The images are built.");
  await writePauseImage(images[1], programs);
  const group = basename(folder);
  parts.defer(async () => removeControlGroup(group));
  await createControlGroup(group);
  const main = join(checkoutFolder, "scripts/cluster/cluster-main.ts");
  const args = ["--conditions=@reports/source", main, folder, programs, group, ...images];
  await runOnPrivateMachine(folder, args, signal);
});
