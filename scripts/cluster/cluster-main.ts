import { copyFile, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError, runCommand } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { forwardPort } from "../machine/forward-port.ts";
import { startTlsServers } from "../platform/start-tls-servers.ts";
import { followGuides } from "./follow-guides.ts";
import { hostNames, nodeAddress } from "./private-machine.ts";
import { startCluster } from "./start-cluster.ts";

// Runs on the private machine, where its end ends all processes. Arguments: the folder of the trial, that of the compiled programs, the name of the
// control group, and the archives of images.
await runCommand(async ({ args }) => {
  const [folder, programs, controlGroup, ...images] = args as [string, string, string, ...string[]];
  const servers = await startTlsServers(folder, ["127.0.0.1", ...hostNames]);
  await forwardPort(nodeAddress, 5432, servers.postgres.port);
  await forwardPort(nodeAddress, 443, Number(new URL(servers.minio.endpoint).port));
  await mkdir("/etc/reports", { recursive: true });
  await copyFile(servers.certificates.trusted, "/etc/reports/ca.crt");
  // The home folder in which the guides are followed. Its folder `.mc` contains the certificate authority that mc trusts.
  const home = join(folder, "home");
  await mkdir(home);
  await symlink(join(folder, ".mc"), join(home, ".mc"));
  for (const name of ["deploy", "docs"]) await symlink(join(checkoutFolder, name), join(home, name));
  const cluster = await startCluster({ folder: join(folder, "memory/cluster"), programs, images, controlGroup });
  process.stderr.write("The node is ready.\n");
  try {
    await followGuides(cluster, { home, servers });
  } catch (error) {
    const state = await cluster.kubectl("describe", "pods").catch(String);
    const logs = await cluster
      .kubectl("logs", "--selector=app.kubernetes.io/instance=reports", "--all-containers", "--tail=20", "--prefix")
      .catch(String);
    throw new CommandExitError([String(error), state, logs, await cluster.readLogs()].join("\n\n"));
  }
});
process.exit();
