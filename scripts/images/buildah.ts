import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../packages/run-program.ts";

/** Runs buildah with its images and settings in one folder, so that it does not touch those of the machine. */
export interface Buildah {
  run(args: readonly string[]): Promise<string>;
  start(args: readonly string[]): ChildProcess;
  readonly folder: string;
}

const settings = {
  // Short image names are resolved at docker.io.
  "registries.conf": 'unqualified-search-registries = ["docker.io"]\n',
  // buildah's default limits can exceed those of the machine. Then containers would not start.
  "containers.conf": '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]\n',
} as const;

export async function createBuildah(folder: string): Promise<Buildah> {
  await mkdir(join(folder, "tmp"), { recursive: true });
  for (const [name, text] of Object.entries(settings)) await writeFile(join(folder, name), text);
  const setup = {
    folder,
    environment: {
      ...process.env,
      CONTAINERS_CONF: join(folder, "containers.conf"),
      CONTAINERS_REGISTRIES_CONF: join(folder, "registries.conf"),
      TMPDIR: join(folder, "tmp"),
    },
  };
  const global = ["--root", join(folder, "storage"), "--runroot", join(folder, "run")];
  return {
    folder,
    run: async (args) => runProgram(setup, "buildah", [...global, ...args]),
    start: (args) =>
      spawn("buildah", [...global, ...args], { cwd: folder, env: setup.environment, stdio: ["pipe", "pipe", "pipe"] }),
  };
}
