import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findProgramPath, isAvailableOrThrowInCi } from "@reports/testing";
import { runProgram } from "../programs.ts";

export type NativeLanguage = keyof typeof compilers;

const compilers = {
  rust: {
    program: "cargo",
    what: "cargo (Rust 1.88 or later, with a C compiler)",
    output: "release/rust-writers",
    args: (source: string, folder: string) => {
      const paths = ["--manifest-path", join(source, "Cargo.toml"), "--target-dir", folder];
      return ["build", "--quiet", "--release", ...paths];
    },
  },
  go: {
    program: "go",
    what: "go (1.26 or later)",
    output: "go-writers",
    args: (source: string, folder: string) => ["-C", source, "build", "-buildvcs=false", "-o", folder, "."],
  },
} as const;

/**
 * Compiles the writers of a language into a folder and returns the path of their program. Compiling again takes a second. Returns null if the
 * machine lacks the compiler.
 */
export async function compileNativeWriters(language: NativeLanguage, dataFolder: string): Promise<string | null> {
  const { program, what, output, args } = compilers[language];
  if (!isAvailableOrThrowInCi(what, findProgramPath(program) !== null)) return null;
  const folder = join(dataFolder, `${language}-writers`);
  await mkdir(folder, { recursive: true });
  console.error(`  Compiling ${language}-writers.`);
  // Compilers find their settings and downloads by many variables, such as HOME, CARGO_HOME and GOPROXY.
  await runProgram(program, args(join(import.meta.dirname, `${language}-writers`), folder), process.env);
  return join(folder, output);
}
