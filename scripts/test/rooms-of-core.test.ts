import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const core = join(import.meta.dirname, "..", "..", "packages", "core");
const isTest = (file: string) => /\.(test|fixture)\.ts$/.test(file);
const sources = globSync("**/*.ts", { cwd: join(core, "src") }).filter((file) => !isTest(file));

/** Rows of the table of rooms in the README of core. A room may import only rooms of earlier rows. */
const rows = [...readFileSync(join(core, "README.md"), "utf8").matchAll(/^\| `([a-z]+)\/` \| (.*) \|$/gm)].map(
  ([, room, about]) => ({ room: room!, about: about! }),
);
const rooms = rows.map(({ room }) => room);
const folders = [...rows.find(({ room }) => room === "report")!.about.matchAll(/`([a-z]+)` \(/g)].map(
  ([, folder]) => `report/${folder}`,
);

function importedBy(file: string): string[] {
  const text = readFileSync(join(core, "src", file), "utf8");
  return [...text.matchAll(/^(?:import|export)\b[^"';]*"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm)].map(
    ([, from, called]) => normalize(join(dirname(file), (from ?? called)!)),
  );
}

function upwards(ordered: readonly string[]): string[] {
  const rankOf = (file: string) => ordered.findIndex((folder) => file.startsWith(`${folder}/`));
  return sources.flatMap((file) =>
    importedBy(file)
      .filter((imported) => rankOf(file) >= 0 && rankOf(imported) > rankOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );
}

test("the README of core lists its rooms and the folders of report", () => {
  const foldersIn = (pattern: string) => globSync(pattern, { cwd: join(core, "src") }).toSorted();
  expect(rooms.toSorted()).toEqual(foldersIn("*/"));
  expect(folders.toSorted()).toEqual(foldersIn("report/*/"));
});

test("a room of core imports only rooms that core's README lists above it", () => {
  expect(upwards(rooms)).toEqual([]);
});

test("a folder of core/src/report imports only folders that core's README lists before", () => {
  expect(upwards(folders)).toEqual([]);
});

test("no file in a room of core imports the face of a room", () => {
  const faces = new Set(sources.filter((file) => dirname(file) === "."));
  const strays = sources.flatMap((file) => importedBy(file).filter((imported) => faces.has(imported)));
  expect(faces.size).toBeGreaterThan(rooms.length);
  expect(strays).toEqual([]);
});

test("the face of a room exports only names of that room", () => {
  // `wire.ts` and `testing.ts` are published entry points that export names of several rooms.
  const own = rooms.filter((room) => room !== "wire" && room !== "testing");
  const strays = own.flatMap((room) => importedBy(`${room}.ts`).filter((imported) => !imported.startsWith(`${room}/`)));
  expect(strays).toEqual([]);
});
