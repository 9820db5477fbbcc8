import type { StandFault } from "./fault.ts";

export const jumpWorkerClockFault: StandFault = {
  name: "worker's clock jumps",
  weight: 4,
  appliesTo: ({ clocks }) => clocks.size > 0,
  async inject({ stand, random }) {
    const offsets = stand.clockOffsetsSeconds;
    const clock = random.pick([...stand.clocks.values()]);
    const others = offsets.filter((seconds) => seconds !== clock.offsetSeconds);
    if (others.length === 0) return false;
    clock.set(random.pick(others));
    return true;
  },
};
