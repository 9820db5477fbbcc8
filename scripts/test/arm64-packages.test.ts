import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Lockfile {
  readonly packages: Readonly<Record<string, Readonly<Partial<Record<"os" | "cpu" | "libc", readonly string[]>>>>>;
  readonly snapshots: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

const lockfile = parse(await readFile(join(import.meta.dirname, "../../pnpm-lock.yaml"), "utf8")) as Lockfile;

/** The images are Debian, which has this C library. */
const libc = "glibc";

test("every npm package with a native part for Linux x64 also has one for arm64", () => {
  const native = Object.entries(lockfile.snapshots)
    .map(([name, { optionalDependencies = {} }]) => [name, Object.entries(optionalDependencies)] as const)
    .filter(([, variants]) => hasVariant(variants, "x64"));
  const onlyX64 = native.filter(([, variants]) => !hasVariant(variants, "arm64")).map(([name]) => name);
  expect(onlyX64).toEqual([]);
  // The API needs this package. If it is missing here, the test has not understood the lockfile.
  expect(native.map(([name]) => name)).toContainEqual(expect.stringMatching(/^@node-rs\/argon2@/));
});

function hasVariant(variants: readonly (readonly [name: string, version: string])[], cpu: string): boolean {
  return variants.some(([name, version]) => {
    const variant = lockfile.packages[`${name}@${version}`];
    return (
      variant?.os?.includes("linux") === true &&
      variant.cpu?.includes(cpu) === true &&
      (variant.libc === undefined || variant.libc.includes(libc))
    );
  });
}
