import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const sources = globSync("{apps,packages,scripts,bench,torture}/**/*.{ts,mjs}", {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
}).map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

interface EntryPoint {
  readonly folder: string;
  readonly importedAs: string;
  readonly file: string;
  readonly names: string;
}

type Target = string | { readonly [condition: string]: Target };

type Exports = Readonly<Record<string, Target>>;

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Exports;
  readonly publishConfig?: { readonly exports: Exports };
}

function sourcesOf(target: Target): string[] {
  if (typeof target === "string") return [];
  const { "@reports/source": source, ...others } = target;
  return typeof source === "string" ? [source] : Object.values(others).flatMap(sourcesOf);
}

const entryPoints = globSync("packages/*", { cwd: root }).flatMap((folder): EntryPoint[] => {
  const manifest = manifestOf(folder);
  return Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    sourcesOf(target).map((file) => ({
      folder,
      importedAs: join(manifest.name, subpath),
      file: join(folder, file),
      names: exportsOf(join(root, folder, file)),
    })),
  );
});

function exportsOf(file: string): string {
  const text = readFileSync(file, "utf8");
  return text.replaceAll(/^export \* from "([^"]+)";$/gm, (_, from: string) => exportsOf(join(dirname(file), from)));
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

function namesOf(list: string): string[] {
  return [...list.matchAll(/(?:type )?\b(\w+)(?: as \w+)?\s*(?:,|$)/g)].map(([, name]) => name!);
}

/**
 * Returns the names that files outside of the package import from the entry point. If a file imports it dynamically, every word in that file counts.
 */
function namesImportedFrom({ folder, importedAs }: EntryPoint): Set<string> {
  const imports = new RegExp(String.raw`(?:import|export) (?:type )?\{([^}]*)\} from "${importedAs}"`, "g");
  return new Set(
    sources
      .filter(({ file }) => !file.startsWith(`${folder}/`))
      .flatMap(({ text }) =>
        text.includes(`import("${importedAs}")`)
          ? [...text.matchAll(/\w+/g)].map(([word]) => word)
          : [...text.matchAll(imports)].flatMap(([, list]) => namesOf(list!)),
      ),
  );
}

/** Entry points of which this repository must use every name. The client is exempt, because its names are for other programs. */
const usedInside = entryPoints.filter(({ folder }) => folder !== "packages/client");

test.each(usedInside)("every name that $importedAs exports is @public or used by another package", (entryPoint) => {
  expect(entryPoint.names).not.toContain("export *");
  const used = namesImportedFrom(entryPoint);
  const listed = entryPoint.names
    .replaceAll(/\/\*\* @public.*\*\/\nexport [^;]*;/g, "")
    .matchAll(/export (?:type )?\{([^}]*)\}/g);
  const names = [...listed].flatMap(([, list]) => namesOf(list!));
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});

test("the client for Node.js exports every name that the client for browsers exports", () => {
  const [node, browser] = ["packages/client/src/node.ts", "packages/client/src/index.ts"].map((file) =>
    [...exportsOf(join(root, file)).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) => namesOf(list!)),
  );
  expect(browser!.length).toBeGreaterThan(30);
  expect(node).toEqual(expect.arrayContaining(browser!));
});

function publishedSourcesOf(folder: string, target: Target): string[] {
  if (typeof target !== "string") return Object.values(target).flatMap((inner) => publishedSourcesOf(folder, inner));
  return target.endsWith(".d.ts") ? [] : [join(folder, target.replace("./dist/", "src/").replace(/\.js$/, ".ts"))];
}

const declares = String.raw`(?:abstract )?(?:async )?(?:interface|type|const|function\*?|class)`;

test("every export of a published package has a doc comment at its declaration", () => {
  const manifests = globSync("packages/*", { cwd: root }).map((folder) => ({ folder, ...manifestOf(folder) }));
  const published = manifests
    .filter((manifest) => manifest.private !== true)
    .flatMap(({ folder, publishConfig }) =>
      Object.values(publishConfig!.exports).flatMap((target) => publishedSourcesOf(folder, target)),
    );
  expect(published).toContain("packages/core/src/wire.ts");
  const undocumented = published.flatMap((file) =>
    [...exportsOf(join(root, file)).matchAll(/export (?:type )?\{([^}]*)\} from "([^"]*)"/g)].flatMap(
      ([, list, from]) => {
        const source = readFileSync(join(root, file, "..", from!), "utf8");
        const isDocumented = (name: string) => new RegExp(String.raw`\*/\nexport ${declares} ${name}\b`).test(source);
        return namesOf(list!)
          .filter((name) => !isDocumented(name))
          .map((name) => `${file}: ${name}`);
      },
    ),
  );
  expect(undocumented).toEqual([]);
});
