import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failpointEdits } from "./failpoints.ts";
import { protectionMutations } from "./protection-mutations.ts";
import { findUnmatchedEdits } from "./processes/rewrite-sources-on-load.ts";
import { bulkLaneEdits } from "./stand/lanes.ts";

const edits = {
  ...Object.fromEntries(
    Object.entries(protectionMutations).map(([name, mutation]) => [`the mutation ${name}`, mutation.edits]),
  ),
  "the failpoints": failpointEdits,
  "the stand's lanes": bulkLaneEdits,
};

test.each(Object.entries(edits))(
  "every source edit of the mutation %s matches exactly one place in its file",
  (_, edited) => {
    expect(edited.length).toBeGreaterThan(0);
    expect(findUnmatchedEdits(edited)).toEqual([]);
  },
);

test("torture/README.md names each mutation", () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("\n## The mutation check\n");
  const named = [...section.split("\n## ", 1)[0]!.matchAll(/^\| `([\w-]+)`: /gm)].map(([, name]) => name!);
  expect(named.toSorted()).toEqual(Object.keys(protectionMutations).toSorted());
});

test("findUnmatchedEdits returns an edit whose text is missing or not unique", () => {
  const file = "torture/src/protection-mutations.test.ts";
  expect(findUnmatchedEdits([{ file: "torture/src/none.ts", text: "x", by: "" }])).toHaveLength(1);
  expect(findUnmatchedEdits([{ file, text: "nothing like that".repeat(2), by: "" }])).toHaveLength(1);
  expect(findUnmatchedEdits([{ file, text: "findUnmatchedEdits", by: "" }])).toHaveLength(1);
});
