import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CommandExitError } from "@reports/commands";
import type { Buildah } from "./buildah.ts";
import { findNodeProcess } from "./node-process.ts";

export type Environment = Readonly<Record<string, string>>;

export interface ContainerProcess {
  output(): string;
  readonly exitCode: number | null;
  terminate(): Promise<number | null>;
  kill(): void;
}

export interface Container {
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Runs a command in the container and returns its output. `folder` is mounted read-only at /given. Throws a CommandExitError unless the command exits
   * with 0.
   */
  run(command: readonly string[], environment?: Environment, input?: string, folder?: string): Promise<string>;
  start(command: readonly string[], environment: Environment): ContainerProcess;
  /** Returns the files of the container that were changed after `moment`. Volumes and temporary folders do not count. */
  changedSince(moment: Date): Promise<readonly string[]>;
}

interface InspectedImage {
  readonly Docker: {
    readonly config: {
      readonly Cmd: readonly string[];
      readonly Volumes?: Readonly<Record<string, unknown>> | null;
      readonly Labels?: Readonly<Record<string, string>> | null;
      readonly Healthcheck: { readonly Test: readonly string[] };
    };
  };
}

/** Creates a container with the machine's network, so that it reaches the servers of the trial. */
export async function createContainer(buildah: Buildah, image: string): Promise<Container> {
  const inspected = JSON.parse(await buildah.run(["inspect", "--type", "image", image])) as InspectedImage;
  const { Cmd: command, Healthcheck: health, Volumes: volumes, Labels: labels } = inspected.Docker.config;
  const name = (await buildah.run(["from", "--pull-never", image])).trim();
  const root = (await buildah.run(["mount", name])).trim();
  const argumentsOf = (environment: Environment, more: readonly string[], what: readonly string[]): string[] => [
    "run",
    "--isolation",
    "chroot",
    ...more,
    ...Object.entries(environment).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    name,
    "--",
    ...what,
  ];
  return {
    command,
    healthCheck: health.Test.slice(1),
    labels: labels ?? {},
    async run(what, environment = {}, input = "", folder) {
      const mounted = folder === undefined ? [] : ["--volume", `${folder}:/given:ro`];
      const child = buildah.start(argumentsOf(environment, mounted, what));
      const ended = once(child, "close");
      child.stdin!.end(input);
      const [output, errorOutput] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
      const [code] = (await ended) as [number | null];
      if (code !== 0)
        throw new CommandExitError(`${what.join(" ")} in ${image} ended with ${code}:\n${output}${errorOutput}`);
      return output + errorOutput;
    },
    start: (what, environment) => followProcess(buildah.start(argumentsOf(environment, [], what))),
    changedSince: async (moment) =>
      changedBelow(root, moment, [
        "tmp",
        "run",
        "proc",
        "sys",
        "dev",
        "etc/hosts",
        "etc/resolv.conf",
        ...Object.keys(volumes ?? {}).map((path) => path.slice(1)),
      ]),
  };
}

function followProcess(child: ChildProcess): ContainerProcess {
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, "close");
  return {
    output: () => output,
    get exitCode() {
      return child.exitCode;
    },
    async terminate() {
      const node = child.pid === undefined ? null : findNodeProcess(child.pid);
      if (node === null) throw new CommandExitError("No Node process runs in the container.");
      process.kill(node, "SIGTERM");
      const [code] = (await closed) as [number | null];
      return code;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

async function changedBelow(root: string, moment: Date, except: readonly string[], below = ""): Promise<string[]> {
  const changed: string[] = [];
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (except.includes(path)) continue;
    if (entry.isDirectory()) changed.push(...(await changedBelow(root, moment, except, path)));
    else if (entry.isFile() && (await stat(join(root, path))).mtime > moment) changed.push(`/${path}`);
  }
  return changed;
}
