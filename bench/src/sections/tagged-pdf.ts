import { interleave, median, ratio } from "../measure.ts";
import { megabytes, seconds, times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService } from "../service.ts";

const sizes = [20_000, 100_000];
const timesGoal = 2;
const memoryGoalMb = 300;

/** Compares a tagged pdf (for screen readers) with the same pdf without tags. */
export const taggedPdf: Section = {
  name: "tagged-pdf",
  title: "Tagged pdfs",
  async run({ server, rounds }: BenchContext): Promise<Line[]> {
    const lines: Line[] = [];
    for (const size of sizes) {
      await using service = await startService(await server.database(size));
      const sizesMb: Record<string, number> = {};
      const pdf = (name: string, accessible: boolean) => async (): Promise<number> => {
        const { ms, report } = await service.run({ reportType: "PROXY_DOMAIN", format: "pdf", accessible });
        sizesMb[name] = report.file!.size / 1e6;
        return ms;
      };
      const seen = await interleave({ untagged: pdf("untagged", false), tagged: pdf("tagged", true) }, rounds, {
        warmUp: true,
      });
      const slower = ratio(seen.tagged, seen.untagged);
      const { renderer } = service.workerMemoryMb();
      lines.push({
        work: `tagged pdf, ${size.toLocaleString("en")} rows`,
        goal: `≤ ${timesGoal} × untagged, ≤ ${memoryGoalMb} MB`,
        seen: `${times(slower)}, ${megabytes(renderer)}`,
        met: slower <= timesGoal && renderer <= memoryGoalMb,
        compared: `${seconds(median(seen.tagged))} and ${seconds(median(seen.untagged))} from request to stored file, of ${megabytes(sizesMb["tagged"]!)} and ${megabytes(sizesMb["untagged"]!)}; peak RSS of the renderer process, which made both files one after the other`,
      });
    }
    return lines;
  },
};
