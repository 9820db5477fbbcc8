import type { Lane } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { durationText } from "../parts/moments.ts";
import { Count } from "./count.tsx";

/** In seconds: a wait is long from the first value on, and near its limit from the second. */
const longSeconds = 60;
const veryLongSeconds = 600;

const names: Readonly<Record<string, string>> = { quick: "Short reports", bulk: "Long reports", suspect: "Quarantine" };

export function laneText(id: string): string {
  return names[id] ?? id;
}

export function Lanes({ lanes }: { readonly lanes: readonly Lane[] }) {
  return (
    <section class="apart" aria-labelledby="lanes">
      <h2 id="lanes">Lanes</h2>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">Lane</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Waiting
            </th>
            <th scope="col" class="number">
              Running
            </th>
            <th scope="col" class="number">
              Oldest wait
            </th>
            <th scope="col" class="number">
              Workers
            </th>
          </tr>
        </thead>
        <tbody>
          {lanes.map((lane) => (
            <tr key={lane.id}>
              <td class="main">
                {laneText(lane.id)} <code class="muted">{lane.id}</code>
              </td>
              <td>
                <LaneState lane={lane} />
              </td>
              <Count of="waiting" count={lane.waiting} />
              <Count of="running" count={lane.running} />
              <td class="number" data-name="oldest wait">
                {lane.oldestWaitSeconds !== null && durationText(lane.oldestWaitSeconds * 1000)}
              </td>
              <Count of="workers" count={lane.workers} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LaneState({ lane }: { readonly lane: Lane }) {
  const [tone, word] = stateOf(lane);
  return <State tone={tone}>{word}</State>;
}

function stateOf({ waiting, running, oldestWaitSeconds, workers }: Lane): readonly [tone: Tone, word: string] {
  const wait = oldestWaitSeconds ?? 0;
  if (workers === 0) return waiting > 0 ? ["bad", "No worker serves it"] : ["warn", "No worker"];
  if (wait > veryLongSeconds) return ["bad", "Far behind"];
  if (wait > longSeconds) return ["warn", "Behind"];
  if (running > 0) return ["live", "Busy"];
  return waiting > 0 ? ["muted", "Waiting"] : ["good", "Idle"];
}
