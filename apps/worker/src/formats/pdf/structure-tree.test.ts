import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasQpdf } from "../readers.fixture.ts";
import { PdfFile } from "./pdf-file.ts";
import { StructureTree } from "./structure-tree.ts";

const pages = 2100;

type Dictionary = Record<string, unknown>;

async function structureObjects(): Promise<Record<string, { readonly value?: unknown }>> {
  const written: Uint8Array[] = [];
  const file = new PdfFile({
    write: async (bytes) => void written.push(Uint8Array.from(bytes)),
    overwrite: async () => undefined,
  });
  const tree = new StructureTree(file);
  for (let page = 0; page < pages; page++) {
    const paragraph = tree.open("P");
    tree.close(paragraph);
    await tree.endPage([paragraph.id]);
  }
  const structure = await tree.finish();
  const [catalog, pageTree, info] = [file.allocate(), file.allocate(), file.allocate()];
  await file.write(catalog, `<</Type/Catalog/Pages ${pageTree} 0 R/StructTreeRoot ${structure} 0 R>>`);
  await file.write(pageTree, "<</Type/Pages/Count 0/Kids[]>>");
  await file.write(info, "<<>>");
  await file.finish({ root: catalog, info, fileId: "00".repeat(16) });
  const folder = mkdtempSync(join(tmpdir(), "structure-"));
  try {
    const path = join(folder, "structure.pdf");
    writeFileSync(path, Buffer.concat(written));
    const json = execFileSync("qpdf", ["--json=2", path], { encoding: "utf8", maxBuffer: 2 ** 28 });
    return (JSON.parse(json) as { qpdf: [unknown, Record<string, { readonly value?: unknown }>] }).qpdf[1];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.runIf(hasQpdf)("the parent tree of a tagged pdf is shallow, with at most 32 entries per node", async () => {
  const objects = await structureObjects();
  const valueOf = (reference: unknown): unknown => objects[`obj:${String(reference)}`]?.value;
  const root = Object.values(objects)
    .map(({ value }) => value as Dictionary | undefined)
    .find((value) => value?.["/Type"] === "/StructTreeRoot");
  const keys: number[] = [];
  let deepest = 0;

  function walk(reference: unknown, depth: number, limits: readonly number[] | undefined): void {
    deepest = Math.max(deepest, depth);
    const node = valueOf(reference) as Dictionary;
    expect(node["/Limits"]).toEqual(limits);
    const kids = node["/Kids"] as readonly unknown[] | undefined;
    const nums = node["/Nums"] as readonly unknown[] | undefined;
    expect(kids === undefined).toBe(nums !== undefined);
    expect(kids?.length ?? nums!.length / 2).toBeLessThanOrEqual(32);
    for (const kid of kids ?? []) {
      const before = keys.length;
      const own = (valueOf(kid) as Dictionary)["/Limits"] as readonly number[];
      walk(kid, depth + 1, own);
      expect([keys[before], keys.at(-1)]).toEqual(own);
    }
    for (let at = 0; at < (nums?.length ?? 0); at += 2) {
      keys.push(nums![at] as number);
      const [paragraph] = valueOf(nums![at + 1]) as readonly unknown[];
      expect(valueOf(paragraph)).toMatchObject({ "/S": "/P" });
    }
  }

  walk(root!["/ParentTree"], 1, undefined);
  expect(keys).toEqual(Array.from({ length: pages }, (_, page) => page));
  expect(root!["/ParentTreeNextKey"]).toBe(pages);
  expect(deepest).toBe(3);
});
