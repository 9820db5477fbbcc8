import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { CommandExitError, runCommand, type CommandContext } from "@reports/commands";
import { hasMaven } from "./has-maven.ts";

const root = join(import.meta.dirname, "../..");
const tools = join(root, "pdf-tools");
const cache = join(root, "node_modules/.cache/pdf-tools");

await runCommand(async ({ args }: CommandContext) => {
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
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  if (!hasMaven()) return;
  await prepareValidator();
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), "validate-pdf-")));
  try {
    say("Writing documents.");
    const formats = join(root, "apps/worker/src/formats");
    const [writer, ...selection] =
      combinations === undefined ? ["pdf/corpus.fixture.ts"] : ["combinations.fixture.ts", combinations];
    if (values.keep !== undefined) await mkdir(folder, { recursive: true });
    const written = await runOrThrow(process.execPath, [
      "--conditions=@reports/source",
      join(formats, writer),
      folder,
      values.rows,
      ...selection,
    ]);
    const lines = written
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]);
    const checked = lines.filter(([profile]) => !profile.startsWith("not:"));
    say(`Validating ${checked.length} documents.`);
    if ((await validate(checked, folder, "inherit")) !== 0)
      throw new CommandExitError("Not every document conforms to its standard: see above.", 1);
    for (const [profile, path] of lines.filter(([first]) => first.startsWith("not:")))
      if ((await validate([[profile.slice("not:".length), path]], folder, "ignore")) !== 1)
        throw new CommandExitError(`The validator accepts ${path}, which is not tagged.`, 1);
    say(`All documents pass.`);
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true });
  }
});

async function prepareValidator(): Promise<void> {
  const libraries = join(cache, "lib");
  const pom = ["--quiet", "--batch-mode", "--file", join(tools, "pom.xml")];
  if (!existsSync(join(cache, "Validate.class")))
    await runOrThrow("mvn", [...pom, "dependency:copy-dependencies", `-DoutputDirectory=${libraries}`]);
  await runOrThrow("javac", ["-cp", join(libraries, "*"), "-d", cache, join(tools, "Validate.java")]);
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
  return ended(spawn("java", args, { stdio: ["ignore", stdout, "inherit"] }));
}

async function runOrThrow(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await ended(child);
  const output = Buffer.concat(chunks).toString();
  if (code !== 0) throw new CommandExitError(`${program} ended with ${code}.\n${output}`, 1);
  return output;
}

/** Returns the exit code of a process, or 1 if a signal ended it. */
async function ended(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? 1;
}
