import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../packages/run-program.ts";

/** buildah on a store of its own, so that nothing of it is left when the store's folder is removed. */
export interface Buildah {
  /** Runs buildah to its end and gives its standard output; throws a CommandFailure with everything that it wrote unless it ends with 0. */
  run(args: readonly string[]): Promise<string>;
  /** Starts buildah and lets it run. */
  start(args: readonly string[]): ChildProcess;
  /** The folder, with everything of it, the cache of builds included. */
  readonly folder: string;
}

/** Settings that do not depend on what the machine's own are: short names are Docker's, images of this store are trusted, limits stay as they are. */
const settings = {
  "registries.conf": 'unqualified-search-registries = ["docker.io"]\n',
  "policy.json": '{"default": [{"type": "insecureAcceptAnything"}]}\n',
  // Limits may not be raised above those of the machine, and the defaults would.
  "containers.conf": '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]\n',
} as const;

/** Makes the folder and what buildah needs in it. */
export async function createBuildah(folder: string): Promise<Buildah> {
  await mkdir(join(folder, "tmp"), { recursive: true });
  for (const [name, text] of Object.entries(settings)) await writeFile(join(folder, name), text);
  const place = {
    folder,
    environment: {
      ...process.env,
      CONTAINERS_CONF: join(folder, "containers.conf"),
      CONTAINERS_REGISTRIES_CONF: join(folder, "registries.conf"),
      // Where buildah keeps the caches of RUN steps.
      TMPDIR: join(folder, "tmp"),
    },
  };
  const global = ["--root", join(folder, "storage"), "--runroot", join(folder, "run")];
  return {
    folder,
    run: async (args) => runProgram(place, "buildah", [...global, ...args]),
    start: (args) =>
      spawn("buildah", [...global, ...args], { cwd: folder, env: place.environment, stdio: ["pipe", "pipe", "pipe"] }),
  };
}
