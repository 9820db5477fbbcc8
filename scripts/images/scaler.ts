import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";

export async function sumScalerQueries(superuserUrl: string): Promise<number> {
  const page = await readFile(join(checkoutFolder, "docs/guides/running/kubernetes.md"), "utf8");
  const statements = /^```sql\n(CREATE ROLE gateway_scaler [^]*?)^```/m.exec(page)?.[1];
  // The golden file `pools` has one query per pool of workers. The lanes of the pools do not overlap, so no report counts twice.
  const manifests = await readFile(join(checkoutFolder, "deploy/chart/golden/pools.yaml"), "utf8");
  const queries = [...manifests.matchAll(/^ *query: "(SELECT .+)"$/gm)].map(([, query]) => query!);
  if (statements === undefined || queries.length < 2)
    throw new CommandExitError(
      "docs/guides/running/kubernetes.md makes no user for KEDA, or the chart has no queries.",
    );
  const psql = async (at: string, command: string): Promise<string> => {
    const plain = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
    return runProgram({ folder: checkoutFolder }, "psql", [...plain, "--command", command, at]);
  };
  const url = new URL(superuserUrl);
  url.pathname = "/reports";
  await psql(url.href, statements.replace("'…'", "'scaler'"));
  [url.username, url.password] = ["gateway_scaler", "scaler"];
  let sum = 0;
  for (const query of queries) sum += Number(await psql(url.href, query));
  return sum;
}
