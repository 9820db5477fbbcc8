import { expect, it } from "vitest";
import { createLogger, type LogLevel } from "./logger.ts";

function lineOf(error: unknown, level: Extract<LogLevel, "warn" | "error">): string {
  const lines: string[] = [];
  createLogger({ name: "api", level: "info", destination: { write: (line) => lines.push(line) } })[level]("failed", {
    error,
  });
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

const thrower = {
  get(): never {
    throw new Error("not yours");
  },
};
const chain = (length: number): Error => {
  let error = new Error("first");
  for (let count = 0; count < length; count++) error = new Error("next", { cause: error });
  return error;
};
const tree = (depth: number): Error =>
  depth === 0
    ? new Error("leaf")
    : new AggregateError(
        Array.from({ length: 20 }, () => tree(depth - 1)),
        "branch",
      );

const hostile: Readonly<Record<string, unknown>> = {
  "a getter that throws": Object.defineProperty(new Error("a"), "message", thrower),
  "a stack that throws": Object.defineProperty(new Error("a"), "stack", thrower),
  "a cause that throws": Object.defineProperty(new Error("a"), "cause", thrower),
  "a proxy that throws": new Proxy(new Error("a"), { ...thrower, getPrototypeOf: thrower.get, ownKeys: thrower.get }),
  "a message that is no text": Object.assign(new Error("a"), { message: { deep: true }, name: 7, stack: [] }),
  "a cause that is no text": new Error("a", { cause: Object.create(null) as unknown }),
  "a toJSON that throws": { toJSON: thrower.get },
  "a message of 5 MB": new Error("x".repeat(5_000_000)),
  "a code of 5 MB": Object.assign(new Error("a"), { code: "x".repeat(5_000_000) }),
  "lone surrogates": new Error("\ud800 and \udfff"),
  "a chain of 100,000 causes": chain(100_000),
  "errors inside errors inside errors": tree(3),
  "a symbol": Symbol("a"),
};

for (const level of ["warn", "error"] as const) {
  it.each(Object.entries(hostile))(`the logger writes one short parsable line at level ${level} for %s`, (_, error) => {
    const line = lineOf(error, level);
    expect(line.length).toBeLessThan(2_000_000);
    expect(line).not.toMatch(/\\ud[89a-f]/i);
    expect(JSON.parse(line)).toMatchObject({ level, msg: "failed" });
  });
}
