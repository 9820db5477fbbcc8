import type { Column } from "../parts/rows.tsx";
import { countText, sentenceCase } from "../parts/text.ts";

/** The API counts at most this many reports per lane. docs/reference/resources/lanes-and-workers.md#endpoints. */
const maxCountedReports = 2_000;

export function countColumn<Of extends string>(of: Of): Column<Readonly<Record<Of, number>>> {
  return {
    title: sentenceCase(of),
    class: "number",
    unit: (item) => (item[of] === 1 && of === "workers" ? "worker" : of),
    cell: (item) => `${countText(item[of])}${item[of] >= maxCountedReports && of !== "workers" ? " or more" : ""}`,
  };
}
