// Writes beside a built app what is in it: the software bill of materials (sbom.cdx.json, CycloneDX) gets the packages that were bundled into the
// console's files, and the licences of all packages, with the addresses of their sources, go into THIRD-PARTY-NOTICES.txt. Fails where a package
// states no licence, has no text of it or no source that its licence asks for, and where one lies in the folder that the bill does not name. Run
// by deploy/build-app.sh, with Node alone:
//   node scripts/images/describe-packages.ts FOLDER [apps/console/dist/bundled-packages.json]
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { noticeOf, readPackage, type DeliveredPackage } from "./package-notice.ts";

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
if (folder === undefined) throw new Error("Which folder?");

const installed = distinct(packagesIn(join(folder, "node_modules/.pnpm")));
const bundled = bundledList === undefined ? [] : readBundled(bundledList);
completeBill(join(folder, "sbom.cdx.json"));
writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), noticesOf(distinct([...installed, ...bundled])));

/** Third-party packages in pnpm's folder, each next to links to its dependencies. */
function packagesIn(store: string): DeliveredPackage[] {
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .flatMap(({ name }) => foldersIn(join(store, name, "node_modules")))
    .filter((path) => !path.includes("/node_modules/@reports/"))
    .map(readPackage);
}

function foldersIn(modules: string): string[] {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== ".bin")
    .flatMap(({ name }) => (name.startsWith("@") ? foldersIn(join(modules, name)) : [join(modules, name)]));
}

/** A JSON list of folders, relative to the list. */
function readBundled(list: string): DeliveredPackage[] {
  const folders = JSON.parse(readFileSync(list, "utf8")) as string[];
  return distinct(folders.map((path) => readPackage(resolve(dirname(list), path))));
}

function distinct(packages: readonly DeliveredPackage[]): DeliveredPackage[] {
  const byName = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

function completeBill(path: string): void {
  const bill = JSON.parse(readFileSync(path, "utf8")) as { components: Component[] };
  const named = new Set(
    bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`),
  );
  for (const { name, version, license } of bundled.filter((one) => !named.has(`${one.name}@${one.version}`))) {
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
  const unnamed = installed.map(({ name, version }) => `${name}@${version}`).filter((one) => !named.has(one));
  if (unnamed.length > 0) throw new Error(`The bill of materials lacks ${unnamed.join(", ")}.`);
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
}

function noticesOf(packages: readonly DeliveredPackage[]): string {
  const line = `\n\n${"-".repeat(80)}\n\n`;
  return `This program contains packages of others, under these licences.\n\n${packages.map(noticeOf).join(line)}\n`;
}
