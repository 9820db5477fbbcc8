// Describes the packages of a built app. Adds the packages that are bundled into the console to the software bill of materials (sbom.cdx.json,
// CycloneDX). Writes the licences of all packages and the URLs of their sources to THIRD-PARTY-NOTICES.txt. Fails if a package has no licence, no
// licence text, or no source although its licence requires one. Fails if the bill lacks an installed package. deploy/build-app.sh runs it: node
// scripts/images/describe-packages.ts FOLDER [apps/console/dist/bundled-packages.json]
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { renderPackageNotice, readDeliveredPackage, type DeliveredPackage } from "./package-notice.ts";

interface Component {
  readonly type: "library";
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly "bom-ref": string;
  readonly licenses: readonly unknown[];
}

const [folder, bundledList] = process.argv.slice(2);
if (folder === undefined) throw new Error("The first argument must be the folder of the built app.");

const installedPackages = removeDuplicates(packagesIn(join(folder, "node_modules/.pnpm")));
const bundledPackages = bundledList === undefined ? [] : readBundled(bundledList);
completeBill(join(folder, "sbom.cdx.json"));
writeFileSync(
  join(folder, "THIRD-PARTY-NOTICES.txt"),
  noticesOf(removeDuplicates([...installedPackages, ...bundledPackages])),
);

/**
 * Returns the third-party packages below pnpm's store folder. The folder of each package there also has links to its dependencies, which are
 * ignored.
 */
function packagesIn(store: string): DeliveredPackage[] {
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .flatMap(({ name }) => foldersIn(join(store, name, "node_modules")))
    .filter((path) => !path.includes("/node_modules/@reports/"))
    .map(readDeliveredPackage);
}

function foldersIn(modules: string): string[] {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== ".bin")
    .flatMap(({ name }) => (name.startsWith("@") ? foldersIn(join(modules, name)) : [join(modules, name)]));
}

function readBundled(list: string): DeliveredPackage[] {
  const folders = JSON.parse(readFileSync(list, "utf8")) as string[];
  return removeDuplicates(folders.map((path) => readDeliveredPackage(resolve(dirname(list), path))));
}

function removeDuplicates(packages: readonly DeliveredPackage[]): DeliveredPackage[] {
  const byName = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

function completeBill(path: string): void {
  const bill = JSON.parse(readFileSync(path, "utf8")) as { components: Component[] };
  const named = new Set(
    bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`),
  );
  for (const { name, version, license } of bundledPackages.filter((one) => !named.has(`${one.name}@${one.version}`))) {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    bill.components.push({
      type: "library",
      name,
      version,
      purl,
      "bom-ref": purl,
      licenses: [{ license: { id: license } }],
    });
  }
  const unnamed = installedPackages.map(({ name, version }) => `${name}@${version}`).filter((one) => !named.has(one));
  if (unnamed.length > 0) throw new Error(`The bill of materials lacks ${unnamed.join(", ")}.`);
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
}

function noticesOf(packages: readonly DeliveredPackage[]): string {
  const line = `\n\n${"-".repeat(80)}\n\n`;
  return `This program contains third-party packages under these licences.\n\n${packages.map(renderPackageNotice).join(line)}\n`;
}
