import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { findRelationProblems } from "./relation-problems.ts";

const [proxy] = builtInReportTypes.filter(({ type }) => type === "PROXY");

test("findRelationProblems reports each unknown relation and column", () => {
  expect(findRelationProblems(builtInReportTypes)).toEqual([]);
  const column = { key: "colour", title: "Colour", kind: "text", width: 8 } as const;
  const filter = { name: "size", operator: "in", value: "text", columns: ["size"], description: "Size." } as const;
  expect(
    findRelationProblems([
      { ...proxy!, type: "NOWHERE", rows: { kind: "relation", relation: "nowhere" } },
      {
        ...proxy!,
        type: "WRONG",
        columns: [...proxy!.columns, column],
        filters: [filter],
        where: [{ column: "height", isNull: true }],
      },
      { ...proxy!, type: "OBJECTS", columns: [column], rows: { kind: "objects", async *rows() {} } },
    ]),
  ).toEqual([
    "The rows of NOWHERE come from a relation that does not exist in the inventory.",
    "WRONG: the relation proxies has no column colour.",
    "WRONG: the relation proxies has no column size.",
    "WRONG: the relation proxies has no column height.",
  ]);
});
