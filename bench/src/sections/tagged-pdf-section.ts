import { measureAlternately, median, medianRatio } from "../measure.ts";
import { formatMegabytes, formatSeconds, formatRatio, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const rowCounts = [20_000, 100_000];
const ratioGoal = 1.5;
const memoryGoalMb = 300;

export const taggedPdfSection: BenchSection = {
  name: "tagged-pdf",
  title: "Tagged pdfs",
  async run({ server, rounds }) {
    const lines: ResultLine[] = [];
    for (const size of rowCounts) {
      await using service = await startBenchService(await server.database(size));
      const sizesMb: Record<string, number> = {};
      const pdf = (name: string, accessible: boolean) => async (): Promise<number> => {
        const { ms, report } = await service.run({ reportType: "PROXY_DOMAIN", format: "pdf", accessible });
        sizesMb[name] = report.file!.size / 1e6;
        return ms;
      };
      const seen = await measureAlternately({ untagged: pdf("untagged", false), tagged: pdf("tagged", true) }, rounds, {
        warmUp: true,
      });
      const slower = medianRatio(seen.tagged, seen.untagged);
      const { renderer } = service.workerMemoryMb();
      lines.push({
        work: `tagged pdf, ${size.toLocaleString("en")} rows`,
        goal: `≤ ${ratioGoal} × untagged, ≤ ${memoryGoalMb} MB`,
        seen: `${formatRatio(slower)}, ${formatMegabytes(renderer)}`,
        met: slower <= ratioGoal && renderer <= memoryGoalMb,
        compared: `${formatSeconds(median(seen.tagged))} and ${formatSeconds(median(seen.untagged))} from request to stored file, of ${formatMegabytes(sizesMb["tagged"]!)} and ${formatMegabytes(sizesMb["untagged"]!)}; peak RSS of the renderer process, which made both files one after the other`,
      });
    }
    return lines;
  },
};
