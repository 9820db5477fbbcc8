import { globSync, readFileSync } from "node:fs";
import { basename, join, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

type Names = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly peerDependencies?: Names;
}
interface Boundaries {
  readonly boundaries: {
    readonly tags: Readonly<Record<string, { readonly dependencies: { readonly allow: readonly string[] } }>>;
  };
}

// Only tests import packages/testing, so the table of docs/ARCHITECTURE.md does not list it.
const folders = globSync("{packages,apps}/*", { cwd: root }).filter((folder) => folder !== "packages/testing");
const page = read("docs/ARCHITECTURE.md");
const [head, , ...rows] = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const columns = head!.slice(1, -2);

function importedBy(folder: string): Set<string> {
  const sources = globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.tsx?$|\/test\//.test(file),
  );
  const found = sources.flatMap((file) => [...read(file).matchAll(/(?:from|import|import\() ?"([^".][^"]*)"/g)]);
  return new Set(found.map(([, name]) => /^(?:@[^/]+\/)?[^/]+/.exec(name!)![0]));
}

function neededBy(folder: string): string[] {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(read(`${folder}/package.json`)) as Manifest;
  const imported = importedBy(folder);
  const bundled = Object.keys(devDependencies ?? {}).filter((name) => imported.has(name));
  return [...new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...bundled])];
}

describe("the import table of docs/ARCHITECTURE.md", () => {
  const names = new Map(folders.map((folder) => [folder.replace("packages/", ""), folder]));

  test("docs/ARCHITECTURE.md has a row per package and app", () => {
    expect(rows.map(([name]) => name!).toSorted()).toEqual([...names.keys()].toSorted());
  });

  test.each(rows)("docs/ARCHITECTURE.md lists the imports and dependencies of %s", (name, ...cells) => {
    const folder = names.get(name)!;
    const needed = neededBy(folder);
    const ours = needed.flatMap((other) => (other.startsWith("@reports/") ? [other.replace("@reports/", "")] : []));
    const { tags } = (JSON.parse(read("turbo.json")) as Boundaries).boundaries;
    expect(tags[basename(folder)]!.dependencies.allow).toEqual(expect.arrayContaining(ours));

    const allowed = columns.filter((_, index) => !/^(no|–|in tests only)$/.test(cells[index]!));
    expect(allowed.toSorted()).toEqual(ours.filter((other) => columns.includes(other)).toSorted());
    const others = cells[columns.length]!.split(", ").filter((other) => other !== "none");
    expect(others.toSorted()).toEqual(ours.filter((other) => !columns.includes(other)).toSorted());
    const thirdParties = cells
      .at(-1)!
      .split(", ")
      .filter((party) => party !== "none");
    const parties = needed.filter((party) => !party.startsWith("@reports/"));
    expect(parties.filter((party) => !thirdParties.some((pattern) => matchesGlob(party, pattern)))).toEqual([]);
    expect(thirdParties.filter((pattern) => !parties.some((party) => matchesGlob(party, pattern)))).toEqual([]);
  });

  test("docs/ARCHITECTURE.md names exactly the folders whose sources import Koa", () => {
    const [, sentence] = /: only ([^;]*?) import Koa/.exec(page)!;
    const places = [...sentence!.matchAll(/`([^`]+)`/g)].map(([, place]) => place!);
    const seen = globSync("apps/api/src/**/*.ts", { cwd: root })
      .filter((file) => !file.endsWith(".test.ts") && /from "(koa|koa-body|@koa\/router)"/.test(read(file)))
      .map((file) => places.find((place) => file === place || file.startsWith(`${place}/`)) ?? file);
    expect([...new Set(seen)].toSorted()).toEqual(places.toSorted());
  });
});

test.each(globSync("{packages,apps}/*", { cwd: root }))(
  "the README of %s names every folder of its sources",
  (folder) => {
    const spans = [...read(`${folder}/README.md`).matchAll(/`([^`\n]+)`/g)].flatMap(([, span]) => span!.split("/"));
    const missing = globSync(`${folder}/src/*/`, { cwd: root })
      .map((path) => basename(path))
      .filter((name) => name !== "test" && !spans.includes(name));
    expect(missing).toEqual([]);
  },
);

test.each([...globSync("{packages,apps}/*", { cwd: root }), "torture", "bench", "scripts"])(
  "no two sources of %s have the same file name",
  (folder) => {
    const sources = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).filter(
      (file) => !/node_modules|\/dist\/|\.(test|d)\.tsx?$/.test(file),
    );
    expect(sources.length).toBeGreaterThan(0);
    const named = Map.groupBy(sources, (file) => basename(file));
    expect([...named.values()].filter((files) => files.length > 1)).toEqual([]);
  },
);
