import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../packages/run-program.ts";

/** buildah on a separate store, which is removed with its folder. */
export interface Buildah {
  /** Returns standard output. Throws a CommandFailure with all output unless buildah exits with 0. */
  run(args: readonly string[]): Promise<string>;
  start(args: readonly string[]): ChildProcess;
  /** Holds everything, including the cache of builds. */
  readonly folder: string;
}

/** Independent of the machine's settings: short names are Docker's, images of this store are trusted, limits stay. */
const settings = {
  "registries.conf": 'unqualified-search-registries = ["docker.io"]\n',
  "policy.json": '{"default": [{"type": "insecureAcceptAnything"}]}\n',
  // Limits may not exceed those of the machine, and the defaults would.
  "containers.conf": '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]\n',
} as const;

export async function createBuildah(folder: string): Promise<Buildah> {
  await mkdir(join(folder, "tmp"), { recursive: true });
  for (const [name, text] of Object.entries(settings)) await writeFile(join(folder, name), text);
  const options = {
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
    run: async (args) => runProgram(options, "buildah", [...global, ...args]),
    start: (args) =>
      spawn("buildah", [...global, ...args], {
        cwd: folder,
        env: options.environment,
        stdio: ["pipe", "pipe", "pipe"],
      }),
  };
}
