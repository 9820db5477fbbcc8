import { globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";

export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly access?: string; readonly exports?: Readonly<Record<string, unknown>> };
  readonly engines?: { readonly node?: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackedPackage {
  readonly name: string;
  readonly folder: string;
  readonly tarball: string;
}

export function listPublishedPackageFolders(): string[] {
  return globSync("{packages,apps}/*/package.json", { cwd: checkoutFolder })
    .filter((file) => readPackageManifest(join(checkoutFolder, file)).private !== true)
    .map((file) => join(checkoutFolder, dirname(file)))
    .toSorted();
}

export async function packPublishedPackages(destination: string): Promise<readonly PackedPackage[]> {
  mkdirSync(destination, { recursive: true });
  const packed: PackedPackage[] = [];
  // The packages are built one after another, because a build can need the build of another package.
  for (const folder of listPublishedPackageFolders()) {
    const { name, version } = readPackageManifest(join(folder, "package.json"));
    await runProgram({ folder }, "pnpm", ["pack", "--pack-destination", destination]);
    packed.push({
      name,
      folder,
      tarball: join(destination, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`),
    });
  }
  return packed;
}

export function readPackageManifest(file: string): PackageManifest {
  return JSON.parse(readFileSync(file, "utf8")) as PackageManifest;
}
