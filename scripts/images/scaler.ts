import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "@reports/commands";
import { runProgram } from "../packages/run-program.ts";

const root = join(import.meta.dirname, "../..");

/** Runs the chart's KEDA query as the user that docs/guides/running/kubernetes.md creates. Returns the result. */
export async function countAsScaler(superuserUrl: string): Promise<number> {
  const page = await readFile(join(root, "docs/guides/running/kubernetes.md"), "utf8");
  const statements = /^```sql\n(CREATE ROLE gateway_scaler [^]*?)^```/m.exec(page)?.[1];
  const chart = await readFile(join(root, "deploy/chart/templates/keda.yaml"), "utf8");
  const query = /^ *query: (.+)$/m.exec(chart)?.[1];
  if (statements === undefined || query === undefined)
    throw new CommandFailure("docs/guides/running/kubernetes.md makes no user for KEDA, or the chart has no query.");
  const psql = async (at: string, command: string): Promise<string> => {
    const plain = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
    return runProgram({ folder: root }, "psql", [...plain, "--command", command, at]);
  };
  const url = new URL(superuserUrl);
  url.pathname = "/reports";
  await psql(url.href, statements.replace("'…'", "'scaler'"));
  [url.username, url.password] = ["gateway_scaler", "scaler"];
  return Number(await psql(url.href, query));
}
