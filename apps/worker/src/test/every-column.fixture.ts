import type { ReportTypeDefinition } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";

const columnTypes = {
  id: ["integer", "integer"],
  name: ["text", "text"],
  tags: ["list", "text[]"],
  bytes: ["bigint", "bigint"],
  amount: ["decimal", "numeric"],
  share: ["ratio", "numeric"],
  paid: ["boolean", "boolean"],
  at: ["timestamp", "timestamptz"],
  due: ["date", "date"],
  reference: ["text", "uuid"],
} as const;

export const everyColumnReport: ReportTypeDefinition = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "EVERY_COLUMN",
      version: 1,
      title: "Every column",
      columns: Object.entries(columnTypes).map(([key, [kind]]) => ({ key, title: key, kind })),
      filters: [{ name: "paid", operator: "in", value: "boolean", columns: ["paid"], description: "Paid." }],
      where: [{ column: "id", below: 100 }],
      rows: {
        kind: "view",
        view: "every_column",
        id: "id",
        columns: Object.fromEntries(Object.entries(columnTypes).map(([key, [, type]]) => [key, { column: key, type }])),
      },
    },
  },
]).reportTypes[0]!.definition;

export const everyColumnSql = `create table every_column (id integer, name text, tags text[], bytes bigint, amount numeric, share numeric,
  paid boolean, at timestamptz, due date, reference uuid);
insert into every_column values
  (1, 'a', '{a,b}', 1, 1.50, 0.0500, true, '2026-03-29T00:59:59.999999Z', '2026-01-01', '018f0000-0000-7000-8000-00000000dead'),
  (2, null, null, null, null, null, null, null, null, null),
  (3, '', '{}', -9223372036854775808, -0.10, 0, false, '2026-03-29T01:00:00Z', '0001-01-01', null),
  (4, E'q" \\\\ \\n\\t\\u0001 \\u2028 日本 🙂 =1', array['', 'NULL', null, 'b "c" \\\\', 'x,y', '{', 'ü'], 9223372036854775807, 1e40, 1e-20, true, '1850-01-01T00:00:00Z', '9999-12-31', null),
  (5, 'late', '[2:3]={a,b}', 0, 'NaN', 1, false, '9999-12-31T23:59:59.5Z', 'infinity', null),
  (6, 'never', '{null}', 0, 0.00, 1, true, 'infinity', '0044-03-15 BC', null),
  (200, 'left out by a fixed condition', '{}', 0, 0, 0, true, now(), now(), null);`;
