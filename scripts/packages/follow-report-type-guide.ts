import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder, findFreePort } from "@reports/testing";
import { createExampleReplacer, createGuideRunner } from "../platform/guides.ts";
import { startFromReadme } from "./start-from-readme.ts";

const guide = "extending/add-a-report-type";
const createView = `psql --quiet "$DATABASE" <<'END'
create schema facilities;
create view facilities.printer_report as select 1 as printer_id, 'Second floor' as name, 'READY' as state, 40 as pages;
END`;
const checkView = `(cd $GATEWAY && REPORT_TYPES_DIR=$PACKAGE npm exec --no -- pnpm --silent operate check-report-types printer-reports --source env:DATABASE)`;

/** Runs all blocks of docs/guides/extending/add-a-report-type.md, in a folder below `folder`. Throws a CommandExitError if one fails. */
export async function followReportTypeGuide(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const project = join(folder, "printer-reports");
  await mkdir(project);
  const port = await findFreePort();
  await using guides = await createGuideRunner({
    guides: [guide],
    runner: "pnpm try example",
    folder: project,
    environment,
    fill: createExampleReplacer([
      ["/path/to/report-gateway", checkoutFolder],
      ['"$HOME"', `'${folder}'`],
      ["npm start)", `npm start -- --data '${join(folder, "printer-data")}')`],
      ["reader:PASSWORD", '"reader:$READER_PASSWORD"'],
      ["127.0.0.1:3000", `127.0.0.1:${port}`],
    ]),
  });
  // A user of the guide has no option that loads core from its sources.
  await guides.run("unset NODE_OPTIONS");
  const viewRows = guides.takeBlock(guide, 'kind: "view"');
  const start = guides.takeBlock(guide, "npm start");
  await guides.runUntil(guide, "check-report-types");
  const places = { GATEWAY: checkoutFolder, PACKAGE: project, PORT: String(port), LOG_LEVEL: "error" };
  await using gateway = await startFromReadme(start, { cwd: project, environment: { ...environment, ...places } });
  await guides.run(`READER_PASSWORD='${gateway.readerPassword}'`);
  await guides.runRest(guide);
  await replaceRows(join(project, "index.js"), viewRows);
  await guides.run(`export DATABASE='${gateway.databaseUrl}'\n${createView}\n${checkView}`);
  guides.assertAllRan();
}

/** Replaces the rows of the guide's type by its other example of rows, which reads a view. */
async function replaceRows(path: string, rows: string): Promise<void> {
  const program = await readFile(path, "utf8");
  const pattern = /^( +)rows: \{\n[^]*?^\1\},\n/m;
  if (!pattern.test(program)) throw new CommandExitError(`The program in ${guide} has no rows.`);
  await writeFile(
    path,
    program.replace(pattern, () => rows),
  );
}
