import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const programs = new URL("../../bench/src/programs.ts", import.meta.url).href;

test.each([
  ["SIGTERM", "", 143],
  ["an error", "process.once('SIGUSR2', () => { throw new Error('a section failed') });", 1],
])(
  "a bench that is ended by %s ends what it has started, sessions of their own included",
  async (_, more, exitCode) => {
    const source = `
    import { spawn } from "node:child_process";
    const { endProgramsAtExit } = await import(${JSON.stringify(programs)});
    endProgramsAtExit();
    ${more}
    // As Postgres is started.
    spawn(process.execPath, ["--eval", "console.log('started'); setInterval(() => undefined, 1000)"], {
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
    });`;
    const bench = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(bench, "exit");
    bench.stdout.once("data", () => bench.kill(exitCode === 1 ? "SIGUSR2" : "SIGTERM"));
    // Ends once nobody holds it any more.
    expect(await text(bench.stdout)).toBe("started\n");
    expect(await ended).toEqual([exitCode, null]);
  },
);
