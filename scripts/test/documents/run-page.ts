import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, dirname, relative } from "node:path";
import { text } from "node:stream/consumers";
import { findProgram, machineHas, signalIfRunning } from "@reports/testing";
import { compareOutput } from "./compare-output.ts";
import { readPage } from "./read-page.ts";

/** Shorter than the time limit of a test, so that a page whose commands wait forever is reported with its line. */
const deadlineMs = 100_000;

/**
 * Runs the commands of a page in one bash session, and compares their output with the output that the page shows. Returns a text per difference,
 * and the output of each step. Programs that the page starts in the background end with it.
 */
export async function runPage(
  path: string,
  options: {
    readonly root: string;
    /** Working directory of the session. */
    readonly folder: string;
    /** Replaces the placeholders of the page, such as PASSWORD. */
    readonly fill: (page: string) => string;
  },
): Promise<{ readonly differences: readonly string[]; readonly printed: readonly string[] }> {
  const name = relative(options.root, path);
  const steps = readPage(options.fill(await readFile(path, "utf8"))).filter(
    ({ needs }) => needs === undefined || machineHas(needs, findProgram(needs) !== null),
  );
  // Each step ends with a NUL, which separates the outputs.
  const script = steps.map(({ commands }) => `${commands}\nprintf '\\0'\n`).join("");
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    // A reader's client is built. The checkout's is not.
    NODE_OPTIONS: "--conditions=@reports/source",
  };
  const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: options.folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  shell.once("exit", () => signalIfRunning(-shell.pid!, "SIGTERM"));
  const deadline = setTimeout(() => signalIfRunning(-shell.pid!, "SIGKILL"), deadlineMs);
  const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  clearTimeout(deadline);
  const printed = stdout.split("\0");
  const rest = printed.pop()!;
  if (printed.length < steps.length)
    return {
      differences: [`${name}:${steps[printed.length]!.line}: the commands failed.\n${rest}\n${stderr}`],
      printed,
    };
  const differences = steps.flatMap(({ output }, index) => {
    if (output === undefined) return [];
    const found = compareOutput(output.language, output.text, printed[index]!);
    return found.map((difference) => `${name}:${output.line}: ${difference}`);
  });
  return { differences, printed };
}
