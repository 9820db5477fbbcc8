import { defineReportTypes } from "../report/types/define-report-types.ts";
import type { Condition } from "../report/types/summary.ts";
import type { ObjectRow, ObjectRows, ObjectRowsRequest } from "../report/types/row-source.ts";

export const allCrewRows: readonly ObjectRow[] = [
  { name: "Ada", shifts: 3, since: new Date("2026-01-01T00:00:00Z"), skills: ["sql"], hired: true },
  { name: "\u{1F600}", shifts: 20, since: new Date("2025-01-01T00:00:00Z"), skills: [], hired: true },
  { name: "\uFFFD", shifts: -1, since: null, hired: true },
  { name: null, shifts: null, since: new Date("2026-06-01T00:00:00Z"), skills: ["dns", "sql"], hired: true },
  { name: "Gone", shifts: 1, hired: false },
];

const hired: Condition = { column: "hired", in: ["true"] };

export function createCrewReportTypes(rows: Partial<ObjectRows>, where: readonly Condition[] = [hired]) {
  return defineReportTypes([
    {
      authority: "REPORT_CREW",
      definition: {
        type: "CREW",
        version: 1,
        title: "Crew",
        columns: [
          { key: "name", title: "Name", kind: "text" },
          { key: "shifts", title: "Shifts", kind: "integer" },
          { key: "since", title: "Since", kind: "timestamp" },
          { key: "skills", title: "Skills", kind: "list" },
          { key: "hired", title: "Hired", kind: "boolean" },
        ],
        filters: [
          { name: "skill", operator: "has", value: "text", columns: ["skills"], description: "Skills." },
          { name: "hired", operator: "in", value: "boolean", columns: ["hired"], description: "Whether hired." },
        ],
        where: where as readonly Condition<never>[],
        rows: { ...correctCrewSource, ...rows } as never,
      },
    },
  ]);
}

export function selectCrewRows({ sort, searchParam }: ObjectRowsRequest): ObjectRow[] {
  const skills = searchParam["skill"] as readonly string[] | undefined;
  const hired = searchParam["hired"] as readonly boolean[] | undefined;
  return allCrewRows
    .filter(
      (row) => skills === undefined || skills.some((skill) => (row["skills"] as string[] | undefined)?.includes(skill)),
    )
    .filter((row) => hired === undefined || hired.includes(row["hired"] as boolean))
    .toSorted((a, b) => {
      for (const { key, descending } of sort) {
        const [left, right] = [a[key] ?? null, b[key] ?? null];
        if (left === null || right === null) {
          if (left !== right) return left === null ? 1 : -1;
          continue;
        }
        const order =
          typeof left === "string"
            ? Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
            : Number(left) - Number(right);
        if (order !== 0) return descending ? -order : order;
      }
      return 0;
    });
}

export const correctCrewSource: ObjectRows = {
  kind: "objects",
  async *rows(request) {
    yield* selectCrewRows(request);
  },
  count: async (request) => selectCrewRows(request).filter(({ hired }) => hired === true).length,
};
