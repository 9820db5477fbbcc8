import type { Worker } from "@reports/client";
import { Rows, type Column } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { findReportTypeTitle } from "../shell/session.ts";
import { createCountColumn } from "./create-count-column.ts";
import { formatLane } from "./lanes.tsx";

const workerColumns: readonly Column<Worker>[] = [
  {
    title: "Host",
    class: "main",
    cell: ({ id, host }) => (
      <>
        <bdi dir="ltr">{host}</bdi>{" "}
        <code class="muted" title={id}>
          {id.split(":").at(-1)!.slice(0, 8)}
        </code>
      </>
    ),
  },
  createCountColumn("running"),
  { title: "Lanes", cell: ({ lanes }) => lanes.map(formatLane).join(", ") },
  {
    title: "Report types",
    cell: ({ reportTypes }) => (reportTypes === null ? "unknown" : reportTypes.map(findReportTypeTitle).join(", ")),
  },
  { title: "Version", class: "muted", cell: ({ version }) => version },
  { title: "Started", class: "muted aside", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: "Last seen", class: "muted", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
];

export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  return <Rows items={workers} columns={workerColumns} />;
}
