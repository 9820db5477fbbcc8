import type { Lane } from "@reports/client";
import { Rows, type Column } from "../parts/rows.tsx";
import { State, type Tone } from "../parts/state.tsx";
import { formatDuration } from "../parts/time-text.ts";
import { createCountColumn } from "./create-count-column.ts";

/** Waits in seconds. If the oldest report waits longer, the page shows its lane as behind, or as far behind. */
const longWaitSeconds = 60;
const veryLongWaitSeconds = 600;

const laneNames: Readonly<Record<string, string>> = {
  quick: "Short reports",
  bulk: "Long reports",
  suspect: "Quarantine",
};

export function formatLane(id: string): string {
  return laneNames[id] ?? id;
}

const laneColumns: readonly Column<Lane>[] = [
  {
    title: "Lane",
    class: "main",
    cell: ({ id }) => (
      <>
        {formatLane(id)} <code class="muted">{id}</code>
      </>
    ),
  },
  { title: "State", cell: (lane) => <LaneState lane={lane} /> },
  createCountColumn("waiting"),
  createCountColumn("running"),
  {
    title: "Oldest wait",
    class: "number",
    unit: () => "oldest wait",
    cell: ({ oldestWaitSeconds }) => oldestWaitSeconds !== null && formatDuration(oldestWaitSeconds),
  },
  createCountColumn("workers"),
];

export function Lanes({ lanes }: { readonly lanes: readonly Lane[] }) {
  return (
    <section class="apart" aria-labelledby="lanes">
      <h2 id="lanes">Lanes</h2>
      <Rows items={lanes} columns={laneColumns} />
    </section>
  );
}

function LaneState({ lane }: { readonly lane: Lane }) {
  const [tone, word] = laneState(lane);
  return <State tone={tone}>{word}</State>;
}

function laneState({ waiting, running, oldestWaitSeconds, workers }: Lane): readonly [tone: Tone, word: string] {
  const wait = oldestWaitSeconds ?? 0;
  if (workers === 0) return waiting > 0 ? ["bad", "No worker serves it"] : ["warn", "No worker"];
  if (wait > veryLongWaitSeconds) return ["bad", "Far behind"];
  if (wait > longWaitSeconds) return ["warn", "Behind"];
  if (running > 0) return ["live", "Busy"];
  return waiting > 0 ? ["muted", "Waiting"] : ["good", "Idle"];
}
