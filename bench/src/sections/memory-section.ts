import { measureAlternately } from "../measure.ts";
import { formatMegabytes, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const goals = { csv: 110, ndjson: null, json: null, xlsx: 200 } as const;
const mainGoalMb = 120;
const growthGoal = 1.2;
const few = 10_000;

export const memorySection: BenchSection = {
  name: "memory",
  title: "Memory",
  async run({ server, domains }) {
    const sizes = [few, domains, 5 * domains];
    const lines: ResultLine[] = [];
    let largestMainMb = 0;
    for (const [format, goal] of Object.entries(goals)) {
      const seen: number[] = [];
      const mains: number[] = [];
      for (const size of sizes) {
        await using service = await startBenchService(await server.database(size));
        await measureAlternately(
          { [`${format} of ${size}`]: async () => (await service.run({ reportType: "PROXY_DOMAIN", format })).ms },
          1,
        );
        const { main, renderer } = service.workerMemoryMb();
        seen.push(renderer);
        mains.push(main);
        largestMainMb = Math.max(largestMainMb, main);
      }
      const growth = Math.max(...seen) / seen[0]!;
      const sizesInWords = sizes.map((size) => size.toLocaleString("en")).join(", ");
      lines.push({
        work: `${format}, memory of the renderer`,
        goal: `${goal === null ? "" : `≤ ${goal} MB at ${domains.toLocaleString("en")} rows, `}growth ≤ ${Math.round((growthGoal - 1) * 100)} %`,
        seen: `${seen.map(formatMegabytes).join(", ")}: ${growth < 1 ? "" : "+"}${Math.round((growth - 1) * 100)} %`,
        met: growth <= growthGoal && (goal === null || seen[1]! <= goal),
        compared: `peak RSS of a fresh renderer process at ${sizesInWords} rows; the worker's main process next to it ${mains.map(formatMegabytes).join(", ")}`,
      });
    }
    lines.push({
      work: "memory of the worker's main process",
      goal: `≤ ${mainGoalMb} MB`,
      seen: formatMegabytes(largestMainMb),
      met: largestMainMb <= mainGoalMb,
      compared: "largest peak RSS of all these runs",
    });
    return lines;
  },
};
