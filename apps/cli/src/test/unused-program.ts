import type { Command } from "commander";
import { createProgram } from "../create-program.ts";

export function createProgramForInspection(): Command {
  const { signal } = new AbortController();
  return createProgram(
    {
      environment: {},
      connect: unused,
      gateway: unused,
      output: {
        isTerminal: false,
        bar: { update: unused, clear: unused },
        say: unused,
        write: unused,
        writeRows: unused,
        bytes: new WritableStream(),
        flushed: unused,
      },
      interrupted: signal,
      words: [],
      giveUp: signal,
      signal,
      name: "reports",
    },
    "1.0.0",
  );
}

function unused(): never {
  throw new Error("Reading words shows nothing and asks for nothing.");
}
