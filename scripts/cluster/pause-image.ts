import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProgram } from "../machine/run-program.ts";
import { pauseImage } from "./cluster-files.ts";

/** Writes an archive of the image that holds a pod's namespaces, as `docker save` would. The image consists of the program `pause` (build.sh). */
export async function writePauseImage(archive: string, programs: string): Promise<void> {
  const folder = join(dirname(archive), "pause");
  await mkdir(folder);
  await runProgram({ folder }, "tar", ["--create", "--file=layer.tar", `--directory=${programs}`, "pause"]);
  const digest = createHash("sha256")
    .update(await readFile(join(folder, "layer.tar")))
    .digest("hex");
  const { arch } = process;
  const files = {
    "config.json": {
      architecture: arch === "x64" ? "amd64" : arch,
      os: "linux",
      config: { Entrypoint: ["/pause"] },
      rootfs: { type: "layers", diff_ids: [`sha256:${digest}`] },
    },
    "manifest.json": [{ Config: "config.json", RepoTags: [pauseImage], Layers: ["layer.tar"] }],
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  await runProgram({ folder }, "tar", ["--create", `--file=${archive}`, "layer.tar", ...Object.keys(files)]);
}
