import type { Worker } from "@reports/client";
import { Time } from "../parts/time.tsx";
import { session } from "../shell/session.ts";
import { Count } from "./count.tsx";
import { laneText } from "./lanes.tsx";

export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Host</th>
          <th scope="col" class="number">
            Running
          </th>
          <th scope="col">Lanes</th>
          <th scope="col">Report types</th>
          <th scope="col">Version</th>
          <th scope="col">Started</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <tr key={worker.id}>
            <td class="main">
              <bdi dir="ltr">{worker.host}</bdi>{" "}
              <code class="muted" title={worker.id}>
                {worker.id.split(":").at(-1)!.slice(0, 8)}
              </code>
            </td>
            <Count of="running" count={worker.running} />
            <td>{worker.lanes.map(laneText).join(", ")}</td>
            <td>{worker.reportTypes === null ? "unknown" : worker.reportTypes.map(titleOf).join(", ")}</td>
            <td class="muted">{worker.version}</td>
            <td class="muted aside">
              <Time at={worker.startedAt} />
            </td>
            <td class="muted">
              <Time at={worker.lastSeenAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function titleOf(name: string): string {
  return session.value?.reportTypes.find(({ reportType }) => reportType === name)?.title ?? name;
}
