import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPackageManifest, type PackageManifest } from "./published-packages.ts";

export function findPackageFaults(folder: string, published: readonly string[]): string[] {
  const manifest = readPackageManifest(join(folder, "package.json"));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return [
    ...findMissingFiles(folder, manifest),
    ...findDependencyFaults(manifest, published),
    ...files
      .filter((file) => /\.(test|fixture)\.|(^|\/)test\/|\.tsbuildinfo$/.test(file))
      .map((file) => `${file} must not be published.`),
    ...files
      .filter((file) => file.endsWith(".map"))
      .flatMap((file) =>
        findLostSources(folder, file).map((source) => `${file} refers to ${source}, which is not in the package.`),
      ),
  ];
}

function findMissingFiles(folder: string, manifest: PackageManifest): string[] {
  const { exports = {}, bin = {}, version, license, engines } = manifest;
  const targets = [...leavesOf(exports), ...Object.values(bin)];
  const missing = ["README.md", "LICENSE", "CHANGELOG.md", ...targets].filter(
    (file) => !existsSync(join(folder, file)),
  );
  const changelog = missing.includes("CHANGELOG.md") ? "" : readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  return [
    ...missing.map((file) => `${file} is missing.`),
    ...(changelog.includes(`\n## ${version} - `) ? [] : [`CHANGELOG.md has no section for ${version}.`]),
    ...(license === undefined ? ["package.json names no license."] : []),
    ...(engines?.node === undefined ? ["package.json does not say which Node is needed."] : []),
    // The condition `@reports/source` selects TypeScript sources. Node refuses to run those below node_modules.
    ...(JSON.stringify(exports).includes("@reports/source")
      ? ["exports contains @reports/source, a condition for development only."]
      : []),
  ];
}

function findDependencyFaults(manifest: PackageManifest, published: readonly string[]): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  return Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap(([name, range]) => [
    ...(/^(workspace|catalog|file|link):/.test(range)
      ? [`${name} has the version range ${range}, which only this workspace can resolve.`]
      : []),
    ...(name.startsWith("@reports/") && !published.includes(name) ? [`${name} is not published.`] : []),
  ]);
}

function findLostSources(folder: string, file: string): string[] {
  const map = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    readonly sourceRoot?: string;
    readonly sources: readonly string[];
    readonly sourcesContent?: readonly (string | null)[];
  };
  return map.sources.filter((source, index) => {
    const path = join(dirname(file), map.sourceRoot ?? "", source);
    const isInside = typeof map.sourcesContent?.[index] === "string";
    return !isInside && (path.startsWith("..") || !existsSync(join(folder, path)));
  });
}

function leavesOf(exports: unknown): string[] {
  if (typeof exports === "string") return [exports];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(leavesOf) : [];
}
