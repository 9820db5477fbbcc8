import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ownCheckout } from "@reports/testing";
import { interleave, median, ratio } from "../measure.ts";
import { familyMs, runProgram } from "../programs.ts";
import { megabytes, seconds, times, type BenchContext, type Line, type Section } from "../section.ts";

const peer = join(import.meta.dirname, "../peers/render-report.ts");

/** The figures of one report. */
interface Measured {
  readonly ms: number;
  readonly processorMs: number;
  /** Processor time of the renderer and of Postgres: other work on the machine changes it least. */
  readonly allProcessorMs: number;
  readonly peakMb: number;
  readonly sizeBytes: number;
}

/** A large workbook, from the query to the finished file, with this checkout's code and with that of an earlier one. */
export const xlsxBefore: Section = {
  name: "xlsx-before",
  title: "xlsx compared with an earlier version",
  comparesCheckouts: true,
  async run({ server, rounds, domains, folder, against }: BenchContext): Promise<Line[]> {
    if (against === null) throw new Error("xlsx-before needs --against, the folder of a checkout that was installed.");
    const databaseUrl = await server.database(domains);
    await runProgram(join(against, "node_modules/.bin/tsc"), ["-b", join(against, "apps/worker")]);
    const measured = { before: [] as Measured[], now: [] as Measured[] };
    const render = (name: keyof typeof measured, checkout: string) => async (): Promise<number> => {
      // The flags and the allocator of renderers.
      const flags = ["--max-semi-space-size=2", "--heap-growing-percent=50"];
      const file = join(folder, `${name}.xlsx`);
      const postgresBefore = familyMs(server.postgres.pid);
      const output = await runProgram(
        "nice",
        ["-n", "10", process.execPath, ...flags, peer, checkout, databaseUrl, "xlsx", file],
        { MALLOC_MMAP_THRESHOLD_: "131072", NODE_OPTIONS: "" },
      );
      const own = JSON.parse(output) as Omit<Measured, "allProcessorMs">;
      const found = { ...own, allProcessorMs: own.processorMs + familyMs(server.postgres.pid) - postgresBefore };
      measured[name].push(found);
      return found.ms;
    };
    await interleave({ before: render("before", against), now: render("now", ownCheckout) }, rounds, { warmUp: true });
    // Without the round that warmed up.
    const [before, now] = [measured.before.slice(1), measured.now.slice(1)];
    const line = (work: string, key: keyof Measured, write: (value: number) => string, goal?: number): Line => {
      const [old, current] = [before.map((run) => run[key]), now.map((run) => run[key])];
      const found = ratio(current, old);
      return {
        work: `xlsx, ${domains.toLocaleString("en")} rows: ${work}`,
        goal: goal === undefined ? "–" : `≤ ${goal} ×`,
        seen: times(found),
        ...(goal !== undefined && { met: found <= goal }),
        compared: `median ${write(median(current))}, least ${write(Math.min(...current))}; before ${write(median(old))}, least ${write(Math.min(...old))}`,
      };
    };
    return [
      line(`time on ${availableParallelism()} cores`, "ms", seconds, 1.15),
      line("processor time of the renderer and Postgres", "allProcessorMs", seconds, 1.15),
      line("processor time of the renderer", "processorMs", seconds),
      line("peak memory of the renderer", "peakMb", megabytes, 1.1),
      line("bytes", "sizeBytes", (bytes) => megabytes(bytes / 1e6)),
    ];
  },
};
