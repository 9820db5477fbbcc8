import { createHash } from "node:crypto";

export const baseUrl: string = process.env["API_URL"] ?? "";
export const credentials: string = process.env["API_CREDENTIALS"] ?? "";

export function expectSome<T>(value: T | null | undefined, what: string, error?: unknown): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing: ${JSON.stringify(error)}`);
  return value;
}

export function expectSame(actual: unknown, wanted: unknown, what: string): void {
  if (actual !== wanted) throw new Error(`${what} is ${String(actual)} and should be ${String(wanted)}.`);
}

/** Returns the SHA-256 of a file in lower-case hex. */
export async function digestOf(file: Blob): Promise<string> {
  return createHash("sha256")
    .update(Buffer.from(await file.arrayBuffer()))
    .digest("hex");
}
