import type { InputIssue } from "./errors.ts";

/** An object out of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with a body that is none. */
export const notAnObject: InputIssue = {
  pointer: "",
  code: "invalid_type",
  message: "The body must be a JSON object.",
};
