import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { CommandExitError, runCommand } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runProgram, runVisibly } from "../machine/run-program.ts";
import { printToStderr } from "./command-stand.ts";
import { hasMaven } from "./has-maven.ts";

const tools = join(checkoutFolder, "pdf-tools");
const cache = join(checkoutFolder, "node_modules/.cache/pdf-tools");
const options = { folder: process.cwd(), stderr: "inherit" } as const;

await runCommand(async ({ args }) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "5000" },
      keep: { type: "string" },
      combinations: { type: "string" },
    },
  });
  if (!/^[1-9]\d{0,6}$/.test(values.rows)) throw new CommandExitError("--rows takes a whole number.", 2);
  const { combinations } = values;
  if (combinations !== undefined && combinations !== "pairs" && combinations !== "all")
    throw new CommandExitError("--combinations takes pairs or all.", 2);
  if (!hasMaven()) return;
  await prepareValidator();
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), "validate-pdf-")));
  try {
    printToStderr("Writing documents.");
    const formats = join(checkoutFolder, "apps/worker/src/formats");
    const [writer, ...selection] =
      combinations === undefined ? ["pdf/corpus.fixture.ts"] : ["combinations.fixture.ts", combinations];
    if (values.keep !== undefined) await mkdir(folder, { recursive: true });
    const program = ["--conditions=@reports/source", join(formats, writer)];
    const written = await runProgram(options, process.execPath, [...program, folder, values.rows, ...selection]);
    const lines = written
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]);
    const checked = lines.filter(([profile]) => !profile.startsWith("not:"));
    printToStderr(`Validating ${checked.length} documents.`);
    if ((await validate(checked, folder, "inherit")) !== 0)
      throw new CommandExitError("Not every document conforms to its standard: see above.", 1);
    for (const [profile, path] of lines.filter(([first]) => first.startsWith("not:")))
      if ((await validate([[profile.slice("not:".length), path]], folder, "ignore")) !== 1)
        throw new CommandExitError(`The validator accepts ${path}, which is not tagged.`, 1);
    printToStderr("All documents pass.");
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true });
  }
});

async function prepareValidator(): Promise<void> {
  const libraries = join(cache, "lib");
  const pom = ["--quiet", "--batch-mode", "--file", join(tools, "pom.xml")];
  if (!existsSync(join(cache, "Validate.class")))
    await runProgram(options, "mvn", [...pom, "dependency:copy-dependencies", `-DoutputDirectory=${libraries}`]);
  await runProgram(options, "javac", ["-cp", join(libraries, "*"), "-d", cache, join(tools, "Validate.java")]);
}

/**
 * Validates files with veraPDF and returns its exit code. Each pair is a list of PDF profiles and a path. A long document takes minutes, so the
 * results are printed one by one. veraPDF leaves copies of its input in `temporary`.
 */
async function validate(
  pairs: readonly (readonly [string, string])[],
  temporary: string,
  stdout: "inherit" | "ignore",
): Promise<number> {
  const classes = [join(cache, "lib/*"), cache].join(delimiter);
  const args = [`-Djava.io.tmpdir=${temporary}`, "-cp", classes, "Validate", ...pairs.flat()];
  return runVisibly(options, "java", args, stdout);
}
