import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { runProgram } from "../packages/run-program.ts";
import type { Buildah } from "./buildah.ts";

/** The version of npm for the base image. Any version that runs on the image's Node is suitable. */
const npm = "npm@11.21.2";

export async function readBaseImageName(dockerfiles: readonly string[]): Promise<string> {
  const names = new Set<string | undefined>();
  for (const file of dockerfiles) names.add(/^ARG NODE_IMAGE=(\S+)$/m.exec(await readFile(file, "utf8"))?.[1]);
  const [name, ...others] = names;
  if (name === undefined || others.length > 0)
    throw new CommandExitError(`The Dockerfiles do not name one base image: ${[...names].join(", ")}.`);
  return name;
}

/**
 * Makes an image under the name of the official Node image, for machines that cannot pull images. It has Debian's minimal system, the Node of this
 * checkout, npm, and the user `node` (1000). It also has this machine's access to the npm registry (URL and certificate authority), because builds
 * install packages. The image is never published.
 */
export async function makeBaseImage(buildah: Buildah, name: string): Promise<void> {
  const debian = /-(\w+)-slim$/.exec(name)?.[1];
  const node = /^node:(\d+\.\d+\.\d+)-/.exec(name)?.[1];
  if (debian === undefined || node !== process.versions.node)
    throw new CommandExitError(
      `The Dockerfiles build on ${name}, and this checkout runs on Node ${process.versions.node}.`,
    );
  const container = (await buildah.run(["from", "scratch"])).trim();
  const root = (await buildah.run(["mount", container])).trim();
  await runProgram({ folder: buildah.folder }, "debootstrap", [
    "--variant=minbase",
    debian,
    root,
    await mirrorOf(debian, buildah.folder),
  ]);
  for (const surplus of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"])
    await rm(join(root, surplus), { recursive: true, force: true });
  await cp(process.execPath, join(root, "usr/local/bin/node"), { dereference: true });
  await runProgram({ folder: buildah.folder }, "npm", [
    "install",
    "--global",
    "--prefix",
    join(root, "usr/local"),
    "--cache",
    join(buildah.folder, "npm-cache"),
    npm,
  ]);
  await runProgram({ folder: root }, "chroot", [root, "useradd", "--uid", "1000", "--create-home", "node"]);
  await buildah.run([
    "config",
    "--env",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    container,
  ]);
  await addRegistryAccess(buildah, container, root);
  await buildah.run(["umount", container]);
  await buildah.run(["commit", "--rm", container, `docker.io/library/${name}`]);
}

async function mirrorOf(debian: string, folder: string): Promise<string> {
  const listed = await runProgram({ folder }, "apt-get", [
    "indextargets",
    "--format",
    "$(RELEASE) $(COMPONENT) $(REPO_URI)",
  ]);
  const line = listed.split("\n").find((each) => each.startsWith(`${debian} main `));
  const mirror = line?.split(" ")[2];
  if (mirror === undefined) throw new CommandExitError(`apt has no source of Debian ${debian}; add one.`);
  return mirror;
}

async function addRegistryAccess(buildah: Buildah, container: string, root: string): Promise<void> {
  const registry = (await runProgram({ folder: buildah.folder }, "npm", ["config", "get", "registry"])).trim();
  await writeFile(join(root, "root/.npmrc"), `registry=${registry}\n`);
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  if (authorities === undefined) return;
  const inside = "usr/local/share/registry-ca.crt";
  await mkdir(join(root, "usr/local/share"), { recursive: true });
  await cp(authorities, join(root, inside), { dereference: true });
  await buildah.run(["config", "--env", `NODE_EXTRA_CA_CERTS=/${inside}`, container]);
}
