import { symlink, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { startProcess, waitFor, type StandProcess } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";
import { joinPathWithGoPrograms } from "../machine/trial-machine.ts";
import { containerdSocket, nodeName, registry, writeClusterFiles } from "./cluster-files.ts";
import { apiClients, containerRuntime, storeAndApi, type Command } from "./cluster-processes.ts";

const startLimitMs = 180_000;
const linesOfLog = 15;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

interface ClusterOptions {
  readonly folder: string;
  /** Folder with the programs `kubernetes` and `pause`, which build.sh builds. */
  readonly programs: string;
  /** Archives of images, as `docker save` writes them. */
  readonly images: readonly string[];
  /** Name of the control group for pods. */
  readonly controlGroup: string;
}

/** Starts a Kubernetes cluster of one node. Call it only in a program of `runOnPrivateMachine`, whose end also ends the cluster's processes. */
export async function startCluster({ folder, programs, images, controlGroup }: ClusterOptions) {
  await writeClusterFiles(folder, controlGroup);
  await symlink(join(programs, "kubernetes"), join(folder, "kubectl"));
  /** Variables and PATH for programs that call `kubectl` and `helm`. */
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    // kubectl and helm would ask a proxy of the machine for the API server.
    NO_PROXY: "*",
    PATH: joinPathWithGoPrograms(folder, process.env["PATH"]),
    KUBECONFIG: join(folder, "kubeconfig"),
    HOME: folder,
  };
  const processes: StandProcess[] = [];
  const start = ({ name, program = join(programs, "kubernetes"), args }: Command): void => {
    const logPath = join(folder, `${name}.log`);
    processes.push(startProcess({ name, program, args, environment: {}, cwd: folder, logPath }));
  };
  /** Returns the last lines of the log of each process. */
  const readLogs = async (): Promise<string> => {
    const texts = await Promise.all(processes.map(async ({ name }) => readFile(join(folder, `${name}.log`), "utf8")));
    return texts.map((text, index) => `${processes[index]!.name}:\n${lastLines(text)}`).join("\n\n");
  };
  const run = async (program: string, args: readonly string[]): Promise<string> =>
    runProgram({ folder, environment }, program, args);
  const kubectl = async (...args: readonly string[]): Promise<string> => run("kubectl", args);
  const until = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    const isMet = async (): Promise<boolean> => {
      const ended = processes.find(({ pid }) => pid === null);
      if (ended !== undefined) throw new Error(`${ended.name} has ended.`);
      return check().catch(() => false);
    };
    await waitFor(isMet, { what, timeoutMs: startLimitMs });
  };
  let digests: ReadonlyMap<string, string>;
  try {
    for (const command of [containerRuntime(folder), ...storeAndApi(folder)]) start(command);
    await until("containerd to be ready", async () => (await ctr(run, "version")) !== "");
    digests = await importImages(run, images);
    await until("the API server to be ready", async () => (await kubectl("get", "--raw", "/readyz")) === "ok");
    for (const command of apiClients(folder)) start(command);
    const ready = '{.status.conditions[?(@.type=="Ready")].status}';
    const readCondition = ["get", "node", nodeName, "--output", `jsonpath=${ready}`];
    await until("the node to be ready", async () => (await kubectl(...readCondition)) === "True");
  } catch (error) {
    throw new CommandExitError(`${(error as Error).message}\n\n${await readLogs()}`);
  }
  return { environment, digests, kubectl, readLogs };
}

type Run = (program: string, args: readonly string[]) => Promise<string>;

async function ctr(run: Run, ...args: readonly string[]): Promise<string> {
  return run("ctr", ["--address", containerdSocket, "--namespace", "k8s.io", ...args]);
}

/**
 * Imports images, and tags them with the names that the guides use and with their digests, because pods name images by digest. Returns the
 * digests by name, such as `registry.example.com/report-gateway-api:latest`.
 */
async function importImages(run: Run, archives: readonly string[]): Promise<ReadonlyMap<string, string>> {
  for (const archive of archives) await ctr(run, "images", "import", archive);
  const [, ...lines] = (await ctr(run, "images", "list")).trim().split("\n");
  const digests = new Map<string, string>();
  for (const [given = "", , digest = ""] of lines.map((line) => line.split(/\s+/))) {
    const name = given.replace("docker.io/library", registry);
    digests.set(name, digest);
    await ctr(run, "images", "tag", "--force", given, `${name.replace(/:[^:]+$/, "")}@${digest}`);
  }
  return digests;
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-linesOfLog).join("\n");
}
