import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandExitError, runCommand } from "@reports/commands";
import { readBaseImageName, makeBaseImage } from "../images/base-image.ts";
import { createBuildah, type Buildah } from "../images/buildah.ts";
import { imageBuildArguments, tryImages } from "../images/try-images.ts";
import { tryTypePackage } from "../images/try-type-package.ts";
import { runProgram } from "../packages/run-program.ts";

const root = join(import.meta.dirname, "../..");
const apps = ["api", "worker"] as const;
const buildArguments = Object.entries(imageBuildArguments).flatMap(([name, value]) => [
  "--build-arg",
  `${name}=${value}`,
]);

await runCommand(async ({ signal }) => {
  const started = performance.now();
  const say = (sentence: string): void =>
    void process.stderr.write(`${sentence} (${Math.round((performance.now() - started) / 1_000)} s)\n`);
  const folder = await mkdtemp(join(await realpath(tmpdir()), "images-"));
  const buildah = await createBuildah(folder);
  try {
    const base = await readBaseImageName(apps.map(dockerfileOf));
    await makeBaseImage(buildah, base);
    say(`${base} is made.`);
    for (const app of apps) {
      signal.throwIfAborted();
      const options = ["--isolation", "chroot", "--format", "docker", "--pull-never", "--file", dockerfileOf(app)];
      await buildah.run(["build", ...options, ...buildArguments, "--tag", `report-gateway-${app}`, root]);
      say(`report-gateway-${app} is built.`);
    }
    await tryImages(buildah, say);
    await tryTypePackage(buildah);
    say("Both images load a package of report types, added as its guide says.");
    process.stdout.write(await describeSizes(buildah, base));
  } finally {
    await removeEverything(buildah);
  }
});

function dockerfileOf(app: (typeof apps)[number]): string {
  return join(root, "deploy", `${app}.Dockerfile`);
}

async function describeSizes(buildah: Buildah, base: string): Promise<string> {
  const sizeOf = async (image: string): Promise<number> => {
    const container = (await buildah.run(["from", "--pull-never", image])).trim();
    const path = (await buildah.run(["mount", container])).trim();
    const [kibibytes] = (await runProgram({ folder: buildah.folder }, "du", ["-sk", path])).split("\t");
    return Math.round(Number(kibibytes) / 1024);
  };
  const bare = await sizeOf(`docker.io/library/${base}`);
  const lines = [`base: ${bare} MiB`];
  for (const app of apps)
    lines.push(`report-gateway-${app}: ${(await sizeOf(`report-gateway-${app}`)) - bare} MiB more`);
  return `${lines.join("\n")}\n`;
}

async function removeEverything(buildah: Buildah): Promise<void> {
  await buildah.run(["rm", "--all"]).catch((error: unknown) => {
    process.stderr.write(`${error instanceof CommandExitError ? error.message : String(error)}\n`);
  });
  await runProgram({ folder: "/" }, "sh", [
    "-c",
    `umount "$1/storage/overlay" 2>/dev/null; true`,
    "sh",
    buildah.folder,
  ]);
  await rm(buildah.folder, { recursive: true, force: true });
}
