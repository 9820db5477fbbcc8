import { describe, expect, it } from "vitest";
import { Secret } from "../environment/secret.ts";
import { createLogger } from "./logger.ts";
import type { LogFields } from "./sanitise-log-fields.ts";

function logged(
  fields: LogFields,
  message = "something happened",
  level: "info" | "warn" | "error" = "info",
): { text: string; line: Record<string, unknown> } {
  const lines: string[] = [];
  createLogger({ name: "api", level: "debug", destination: { write: (line) => lines.push(line) } })[level](
    message,
    fields,
  );
  expect(lines).toHaveLength(1);
  const text = lines[0] ?? "";
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

describe("createLogger", () => {
  it("the logger writes one line of JSON with time, level, name, message and fields", () => {
    const { text, line } = logged({ reportId: "1", count: 3, at: new Date(0), big: 10n ** 20n });
    expect(text).toMatch(/^\{[^\n]*\}\n$/);
    expect(line).toMatchObject({ level: "info", name: "api", msg: "something happened", reportId: "1", count: 3 });
    expect(line).toMatchObject({ at: "1970-01-01T00:00:00.000Z", big: "100000000000000000000" });
    expect(line["time"]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it.each([
    { authorization: "hunter2" },
    { headers: { Authorization: "hunter2", cookie: "hunter2", "Set-Cookie": ["hunter2"] } },
    { user: { deep: { passwordHash: "hunter2" } } },
    {
      access_token: "hunter2",
      clientSecret: "hunter2",
      apiKey: "hunter2",
      MINIO_SECRET_KEY: "hunter2",
      accessKey: "hunter2",
    },
    { searchParam: { q: ["hunter2"] } },
    { url: "postgres://user:hunter2@host/db" },
    { text: "Authorization: Bearer hunter2 and Basic hunter2=" },
    { error: new Error("connect to postgres://user:hunter2@host failed", { cause: new Error("Bearer hunter2") }) },
    { list: [{ token: "hunter2" }], map: new Map([["password", "hunter2"]]) },
    { config: { database: new Secret("hunter2") } },
  ])("the logger masks the secret in %j", (fields) => {
    expect(logged(fields).text).not.toContain("hunter2");
  });

  it("the logger masks a JSON web token in any text", () => {
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl";
    expect(logged({ detail: `got ${token}` }).text).not.toContain("eyJzdWIi");
  });

  it("the logger escapes line breaks and control characters of terminals", () => {
    const evil = "a\nlevel=fatal\r\u001b[31m\u009b31m\u2028\u202e";
    const { text } = logged({ name2: evil }, evil);
    expect(text.trimEnd()).toMatch(/^[\u0020-\u007e]*$/);
  });

  it("the logger writes one line for circular, deep, long and unusual values", () => {
    const circle: Record<string, unknown> = {
      text: "x".repeat(100_000),
      fn: () => 1,
      nan: new Date(Number.NaN),
      bytes: Buffer.alloc(9),
    };
    circle["self"] = circle;
    const { text, line } = logged({ circle });
    expect(text.length).toBeLessThan(20_000);
    expect(line["circle"]).toMatchObject({
      self: "[circular]",
      fn: "[function]",
      nan: "[invalid date]",
      bytes: "[9 bytes]",
    });
  });

  it("the logger writes the error of a warning with its causes and without stacks", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
    const all = new AggregateError([refused, new Error("another address")], "");
    const failed = new Error(`Failed query: select ${"column, ".repeat(200)}\nparams: hunter2`, { cause: all });
    const error = new Error("The database does not answer.", { cause: failed });
    const { text, line } = logged({ error }, "dependency unavailable", "warn");
    expect(line["error"]).toEqual({
      name: "Error",
      message: "The database does not answer.",
      causes: [
        expect.stringMatching(/^Error: Failed query: select column, .*…$/),
        "AggregateError: ",
        "Error: connect ECONNREFUSED 127.0.0.1:5432 (ECONNREFUSED)",
      ],
    });
    expect(text).not.toContain("hunter2");
    expect(text.length).toBeLessThan(1_000);
    let chain = new Error("x".repeat(10_000));
    for (let depth = 0; depth < 100; depth++) chain = new Error("x".repeat(10_000), { cause: chain });
    expect(logged({ error: chain }, "m", "warn").text.length).toBeLessThan(2_000);
    const circle = new Error("circle");
    circle.cause = circle;
    expect(logged({ error: circle }, "m", "warn").line["error"]).toEqual({ name: "Error", message: "circle" });
  });

  it("the logger writes an unexpected error with name, message, code, stack and cause", () => {
    const error = Object.assign(new TypeError("no", { cause: new Error("deeper") }), { code: "ECONNREFUSED" });
    expect(logged({ error }, "m", "error").line["error"]).toMatchObject({
      name: "TypeError",
      message: "no",
      code: "ECONNREFUSED",
      stack: expect.stringContaining("logger.test.ts") as string,
      cause: { message: "deeper" },
    });
  });

  it("a child logger adds its fields, and writes no line below the configured level", () => {
    const lines: string[] = [];
    const logger = createLogger({ name: "api", level: "warn", destination: { write: (line) => lines.push(line) } });
    const child = logger.child({ requestId: "r1", token: "hunter2" });
    child.info("quiet");
    child.warn("loud");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"requestId":"r1"');
    expect(lines[0]).not.toContain("hunter2");
  });
});
