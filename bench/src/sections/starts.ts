import { connect, type Socket } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { interleave, median, ratio } from "../measure.ts";
import { runProgram } from "../programs.ts";
import { times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService, type Service } from "../service.ts";

const clients = 16;
const secondsPerRound = 5;
const script = join(import.meta.dirname, "../peers/start-transaction.sql");
const body = JSON.stringify({ reportType: "PROXY", format: "csv" });

/** Starts a second through the API, beside pgbench running the statement that a start is. Nothing works on them. */
export const starts: Section = {
  name: "starts",
  async run({ server, rounds }: BenchContext): Promise<Line[]> {
    // A database of its own, because thousands of reports wait in it afterwards.
    const databaseUrl = await server.database(100);
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    try {
      await using service = await startService(databaseUrl, { worker: false });
      const seen = await interleave(
        { pgbench: async () => runPgbench(databaseUrl), service: async () => startMany(service) },
        rounds,
        { warmUp: true },
      );
      const share = ratio(seen.service, seen.pgbench);
      return [
        {
          work: "starts a second",
          goal: "≥ 0.85 × pgbench",
          seen: times(share),
          met: share >= 0.85,
          compared: `${clients} clients, ${secondsPerRound} s a round: \`POST /v1/reports\` ${Math.round(median(seen.service))}/s; \`pgbench -M prepared -f start-transaction.sql\`, the same statement, ${Math.round(median(seen.pgbench))}/s`,
        },
      ];
    } finally {
      await sql`truncate reports cascade`;
      await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
      await sql.end();
    }
  },
};

/** Transactions a second. */
async function runPgbench(databaseUrl: string): Promise<number> {
  const load = ["-c", String(clients), "-j", "2", "-T", String(secondsPerRound)];
  const output = await runProgram("pgbench", ["-n", "-M", "prepared", "-f", script, ...load, databaseUrl]);
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

/** Starts a second. */
async function startMany(service: Service): Promise<number> {
  const { hostname, port } = new URL(service.origin);
  const headers = Object.entries({ host: hostname, ...service.headers, "content-length": String(body.length) });
  const request = `POST /v1/reports HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
  const endsAt = performance.now() + secondsPerRound * 1000;
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: clients }, async () => startOverAndOver(connect(Number(port), hostname), request, endsAt)),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000);
}

/** One client on one connection, as bare as pgbench's: the next request goes when the answer is there. */
async function startOverAndOver(socket: Socket, request: string, endsAt: number): Promise<number> {
  let count = 0;
  let text = "";
  socket.write(request);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString("latin1");
    const headEnd = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (headEnd < 0 || text.length < headEnd + 4 + length) continue;
    if (!text.startsWith("HTTP/1.1 202")) throw new Error(`A start was answered ${text.slice(0, 200)}`);
    count++;
    text = "";
    if (performance.now() > endsAt) break;
    socket.write(request);
  }
  socket.destroy();
  return count;
}
