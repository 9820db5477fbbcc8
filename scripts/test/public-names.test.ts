import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const packages = globSync("packages/*", { cwd: root }).map((path) => path.replace("packages/", ""));
const sources = globSync("{apps,packages,scripts,bench,torture}/**/*.{ts,mjs}", {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
}).map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** The names in the braces of an import or export. */
function namesOf(list: string): string[] {
  return [...list.matchAll(/(?:type )?\b(\w+)(?: as \w+)?\s*(?:,|$)/g)].map(([, name]) => name!);
}

/** Names that some file outside of the package imports from it. */
function importedFrom(name: string): Set<string> {
  const imports = new RegExp(String.raw`(?:import|export) (?:type )?\{([^}]*)\} from "@reports/${name}"`, "g");
  return new Set(
    sources
      .filter(({ file }) => !file.startsWith(`packages/${name}/`))
      .flatMap(({ text }) => [...text.matchAll(imports)].flatMap(([, list]) => namesOf(list!))),
  );
}

test("every package's index lists its names by hand, and others use all that are not marked @public", () => {
  const idle = packages.flatMap((name) => {
    const index = readFileSync(join(root, "packages", name, "src/index.ts"), "utf8");
    expect(index).not.toContain("export *");
    const used = importedFrom(name);
    const lists = index
      .replaceAll(/\/\*\* @public.*\*\/\nexport [^;]*;/g, "")
      .matchAll(/export (?:type )?\{([^}]*)\}/g);
    const names = [...lists].flatMap(([, list]) => namesOf(list!));
    expect(names).not.toEqual([]);
    return names.filter((listed) => !used.has(listed)).map((listed) => `${name}: ${listed}`);
  });
  expect(idle).toEqual([]);
});
