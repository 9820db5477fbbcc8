import { parseList } from "structured-headers";

/**
 * Parameters of an element of a structured field. The library's type for them needs TypeScript's types of browsers, which this project does not
 * load.
 */
type Parameters = ReadonlyMap<string, unknown>;

export interface ParsedRateLimit {
  readonly name: string;
  readonly quota: number;
  readonly unit: string;
  readonly windowSeconds: number | null;
  readonly remaining: number;
  readonly resetSeconds: number | null;
}

/** Units of quotas that draft-ietf-httpapi-ratelimit-headers registers. */
const registeredUnits = ["requests", "content-bytes", "concurrent-requests"];

/**
 * Reads the headers RateLimit-Policy and RateLimit. Throws unless they follow draft-ietf-httpapi-ratelimit-headers-11 strictly. Both must be
 * lists of strings with only registered parameters, and both must contain the same limits.
 */
export function readRateLimits(headers: Readonly<Record<string, string | undefined>>): readonly ParsedRateLimit[] {
  const policies = readItems(headers["ratelimit-policy"], ["q", "qu", "w", "pk"]);
  const states = readItems(headers["ratelimit"], ["r", "t", "pk"]);
  if ([...policies.keys()].join() !== [...states.keys()].join())
    throw new Error("RateLimit-Policy and RateLimit name different limits.");
  return [...policies].map(([name, policy]) => {
    const unit = policy.get("qu") ?? "requests";
    if (typeof unit !== "string" || !registeredUnits.includes(unit))
      throw new Error(`The unit of ${name} is not registered.`);
    const windowSeconds = numberOrNull(readInteger(policy, "w"));
    if (windowSeconds === 0) throw new Error(`The window of ${name} is empty.`);
    const state = states.get(name)!;
    return {
      name,
      quota: requireNumber(readInteger(policy, "q"), name),
      unit,
      windowSeconds,
      remaining: requireNumber(readInteger(state, "r"), name),
      resetSeconds: numberOrNull(readInteger(state, "t")),
    };
  });
}

function readItems(field: string | undefined, known: readonly string[]): ReadonlyMap<string, Parameters> {
  const items = new Map<string, Parameters>();
  // A missing header is valid, but an empty one is not.
  const list = field === undefined ? [] : parseList(field);
  if (field !== undefined && list.length === 0) throw new Error("The field is empty.");
  for (const [name, parameters] of list) {
    if (typeof name !== "string" || items.has(name)) throw new Error("An item is not a string, or it is repeated.");
    for (const [key, value] of parameters) {
      if (!known.includes(key)) throw new Error(`${name} has the parameter ${key}.`);
      if (key === "pk" && !(value instanceof ArrayBuffer))
        throw new Error(`The key of ${name} is not a byte sequence.`);
    }
    items.set(name, parameters);
  }
  return items;
}

function readInteger(parameters: Parameters, key: string): number | undefined {
  const value = parameters.get(key);
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new Error(`${key} is not an integer of at least 0.`);
  return value;
}

function requireNumber(value: number | undefined, name: string): number {
  if (value === undefined) throw new Error(`${name} has no number.`);
  return value;
}

function numberOrNull(value: number | undefined): number | null {
  return value ?? null;
}
