import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, dirname, relative } from "node:path";
import { text } from "node:stream/consumers";
import { findProgram, machineHas, signalIfRunning } from "@reports/testing";
import { compareOutput } from "./compare-output.ts";
import { readPage } from "./read-page.ts";

/** Time limit of a page. Shorter than that of a test, so that a command that never ends is reported with its line. */
const deadlineMs = 100_000;

/**
 * Runs the commands of a page in one bash session, and compares their output with that on the page. Returns a text per difference, and the output
 * of each step. Background processes of the page are ended.
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
  // A NUL after each step separates the outputs.
  const script = steps.map(({ commands }) => `${commands}\nprintf '\\0'\n`).join("");
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    // The client of the checkout is not built, so Node must load its sources.
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
