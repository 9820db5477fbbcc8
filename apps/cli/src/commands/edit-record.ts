import { GatewayError } from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandOutput } from "../output/command-output.ts";
import { toSafeText } from "../output/to-safe-text.ts";

interface Edit<Item> {
  readonly what: string;
  readonly showWords: string;
  read(): Promise<{ readonly record: Item; readonly etag: string }>;
  patch(stored: Item, how: { readonly ifMatch: string }): Promise<Item>;
}

/** The service itself changes these fields. So the list of what an edit has changed omits them. */
const observedFields = new Set([
  "lastDeliveredAt",
  "failingSince",
  "updatedAt",
  "nextFireAt",
  "nextFires",
  "lastFire",
  "status",
  "pausedBecause",
  "unfitBecause",
]);

/**
 * Changes a record if nobody has changed it since `read`, and prints the changed fields. `flags` holds the flag of each field. Throws a CommandError
 * if somebody has changed the record.
 */
export async function editRecord<Item extends object>(
  { output, name }: Pick<CommandContext, "name"> & { readonly output: Pick<CommandOutput, "say"> },
  { what, showWords, read, patch }: Edit<Item>,
  flags: Readonly<Record<string, string>>,
): Promise<Item> {
  const { record, etag } = await read();
  try {
    const changed = await patch(record, { ifMatch: etag });
    const lines = describeFieldChanges(record, changed, flags);
    for (const line of lines.length === 0 ? [`The ${what} has these values already.`] : lines) output.say(line);
    return changed;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 412) throw error;
    throw new CommandError(
      "failed",
      `Someone else has changed the ${what} at the same time, so nothing was changed. Look at it, then repeat the command:\n  ${name} ${showWords}`,
    );
  }
}

/** Returns a line for each changed field: `--cron: 0 6 * * 1 → 0 7 * * 1`. */
export function describeFieldChanges(
  before: object,
  after: object,
  flags: Readonly<Record<string, string>>,
): readonly string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([field, value]) => {
    const [from, to] = [describeValue(old.get(field)), describeValue(value)];
    if (from === to || observedFields.has(field)) return [];
    return [`${flags[field] ?? field}: ${toSafeText(from)} → ${toSafeText(to)}`];
  });
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.join(",");
  if (typeof value !== "object") return typeof value === "string" ? value : JSON.stringify(value);
  const parts = Object.entries(value).map(([name, one]) => `${name}=${[one].flat().join(",")}`);
  return parts.length === 0 ? "none" : parts.join(" ");
}
