import type { Column } from "../parts/rows.tsx";
import { formatCount, toSentenceCase } from "../parts/text.ts";

/** The API counts at most this many reports per lane. docs/reference/resources/lanes-and-workers.md#endpoints. */
const maxCountedReports = 2_000;

export function createCountColumn<Of extends string>(of: Of): Column<Readonly<Record<Of, number>>> {
  return {
    title: toSentenceCase(of),
    class: "number",
    unit: (item) => (item[of] === 1 && of === "workers" ? "worker" : of),
    cell: (item) => `${formatCount(item[of])}${item[of] >= maxCountedReports && of !== "workers" ? " or more" : ""}`,
  };
}
