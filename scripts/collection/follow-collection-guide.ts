import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { installedCopyEnvironment } from "../machine/copy-checkout.ts";
import { createExampleReplacer, createGuideRunner } from "../platform/guides.ts";

const guide = "extending/add-a-collection";

/** Test files that `npm test` runs in the trial. They fail if a step of the guide was forgotten. CI runs the other files anyway, and they take minutes. */
const testFiles = [
  "packages/db/src/migrations/role-grants.test.ts",
  "packages/db/src/migrations/role-powers.test.ts",
  "packages/db/src/schema/other-owners.test.ts",
  "packages/db/src/schema/stored-times.test.ts",
  "apps/api/src/openapi/openapi-document.test.ts",
  "apps/api/src/openapi/reference-tables.test.ts",
  "apps/api/src/resource/round-trip.test.ts",
  "apps/api/src/security/permission-matrix.test.ts",
  "scripts/test/references.test.ts",
];

const pages = {
  index: {
    path: "docs/README.md",
    below: "| [domains](reference/resources/domains.md)",
    row: "| [bookmarks](reference/resources/bookmarks.md) | callers | the bookmarks of callers |",
  },
  audit: {
    path: "docs/reference/audit-log.md",
    below: "| `proxy.create`",
    row: "| `bookmark.create`, `bookmark.replace`, `bookmark.patch`, `bookmark.delete` | a bookmark was created, replaced, patched, deleted |",
  },
  powers: {
    path: "docs/reference/database-roles.md",
    below: "| Change the inventory |",
    row: "| Change the records of any owner | API | Everything except the owner. |",
  },
} as const;

/** Runs all blocks of docs/guides/extending/add-a-collection.md in a copy of the checkout, and writes the files that the guide describes. */
export async function followCollectionGuide(checkout: string, say: (sentence: string) => void): Promise<void> {
  // CI has run all cases of the large tables already.
  const { CI: _, ...others } = process.env;
  const environment: NodeJS.ProcessEnv = { ...others, ...installedCopyEnvironment };
  await using guides = await createGuideRunner({
    guides: [guide],
    runner: "pnpm try add-a-collection",
    folder: checkout,
    environment: { ...environment, PATH: [join(checkout, "node_modules/.bin"), environment["PATH"]].join(delimiter) },
    fill: createExampleReplacer([["npm test\n", `npm test -- ${testFiles.join(" ")}\n`]]),
  });
  const core = join(checkout, "packages/core/src");
  const db = join(checkout, "packages/db/src");

  await guides.run(`cd '${core}/caller'`);
  await guides.runUntil(guide, "console.log(bookmarks.name");
  await guides.run(`cd '${checkout}'`);
  await importFilesOfCore(core);
  await append(join(core, "caller.ts"), 'export { bookmarks } from "./caller/bookmark-record.ts";\n');
  await writeFile(join(db, "schema/bookmarks.ts"), guides.takeBlock(guide, "pgTable("));
  await addToList(join(db, "collections/owned-collections.ts"), guides.takeBlock(guide, "declareOwnedCollection("));
  await guides.runBlock(guide, "pnpm generate role-grants");
  say("The collection has a migration and rights.");

  const blocks = guides.takeBlock(guide, "begin endpoints: /v1/bookmarks");
  await writeFile(join(checkout, "docs/reference", "resources/bookmarks.md"), `# Bookmarks\n\n${blocks}`);
  for (const { path, below, row } of Object.values(pages)) await addRow(join(checkout, path), below, row);
  await guides.run("tsc -b packages/db");
  say("The compiler accepts the collection.");
  await guides.runBlock(guide, "pnpm generate reference-tables");
  say("The tests accept the collection.");
  guides.assertAllRan();
}

/** Replaces the import of the package by imports of the files in `record`, as the guide says for declarations inside core. */
async function importFilesOfCore(core: string): Promise<void> {
  const face = await readFile(join(core, "record.ts"), "utf8");
  const exported = new Map<string, string>();
  for (const [, names = "", file = ""] of face.matchAll(/^export (?:type )?\{([^}]+)\} from "\.\/(record\/.+)";$/gm))
    for (const [name] of names.matchAll(/\b(?!type\b)\w+/g)) exported.set(name, file);
  const importPattern = /^import \{ (.+) \} from "@reports\/core\/record";$/m;
  await edit(join(core, "caller/bookmark-record.ts"), importPattern, (_, names) =>
    names
      .split(", ")
      .map((name) => `import { ${name} } from "../${exported.get(name.replace("type ", ""))}";`)
      .join("\n"),
  );
}

/** Replaces the empty list by that of the guide, whose imports go to the top of the file. */
async function addToList(path: string, block: string): Promise<void> {
  const [imports = "", list = ""] = block.split("\n\n");
  await edit(path, /^export const ownedCollections: .* = \[\];\n/m, () => list);
  await edit(path, /^/, () => `${imports}\n`);
}

async function addRow(path: string, below: string, row: string): Promise<void> {
  await edit(path, /^[^]*$/, (page) => {
    const lines = page.split("\n");
    const index = lines.findIndex((line) => line.startsWith(below));
    if (index === -1) throw new CommandExitError(`${path} has no row ${below}.`);
    return lines.toSpliced(index + 1, 0, row).join("\n");
  });
}

async function append(path: string, text: string): Promise<void> {
  await edit(path, /$/, () => text);
}

async function edit(path: string, pattern: RegExp, replace: (...groups: readonly string[]) => string): Promise<void> {
  const text = await readFile(path, "utf8");
  if (!pattern.test(text)) throw new CommandExitError(`${path} does not contain ${String(pattern)}.`);
  await writeFile(path, text.replace(pattern, replace));
}
