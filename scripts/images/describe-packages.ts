// Writes beside a built app what is in it: the software bill of materials (sbom.cdx.json, CycloneDX) gets the packages that were bundled into the
// console's files, and the licences of all packages go into THIRD-PARTY-NOTICES.txt. Fails where a package states no licence, and where one lies
// in the folder that the bill does not name. Run by deploy/build-app.sh, with Node alone:
//   node scripts/images/describe-packages.ts FOLDER [apps/console/dist/bundled-packages.json]
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly folder: string;
}

/** A package in a bill of materials of CycloneDX. */
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

/** The packages of others in pnpm's folder, where each lies beside links to what it needs. */
function packagesIn(store: string): Package[] {
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .flatMap(({ name }) => foldersIn(join(store, name, "node_modules")))
    .filter((path) => !path.includes("/node_modules/@reports/"))
    .map(readPackage);
}

/** Folders of packages that are no links. */
function foldersIn(modules: string): string[] {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== ".bin")
    .flatMap(({ name }) => (name.startsWith("@") ? foldersIn(join(modules, name)) : [join(modules, name)]));
}

/** The packages of a JSON list of folders that are relative to the list. */
function readBundled(list: string): Package[] {
  const folders = JSON.parse(readFileSync(list, "utf8")) as string[];
  return distinct(folders.map((path) => readPackage(resolve(dirname(list), path))));
}

function readPackage(path: string): Package {
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Omit<Package, "license"> & {
    readonly license?: string;
  };
  const { name, version, license } = manifest;
  if (typeof license !== "string")
    throw new Error(`${name}@${version} states no licence: find out which it has before it is delivered.`);
  return { name, version, license, folder: path };
}

function distinct(packages: readonly Package[]): Package[] {
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

function noticesOf(packages: readonly Package[]): string {
  const parts = packages.map(({ name, version, license, folder: path }) => {
    const files = readdirSync(path).filter((file) => /^(licen[cs]e|copying|notice|ofl)/i.test(file));
    const texts = files.map((file) => readFileSync(join(path, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  return `This program contains packages of others, under these licences.\n\n${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
