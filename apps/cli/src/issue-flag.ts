import type { Issue } from "@reports/client";
import { toFlagNamesByField } from "./input/options-by-field.ts";
import { startFlags } from "./input/start-flags.ts";
import { toSafeText } from "./output/to-safe-text.ts";

export type FlagNamesByField = Readonly<Record<string, string>>;

const flagsOfStarts: FlagNamesByField = toFlagNamesByField(startFlags);

/**
 * Returns the beginning of a message about an issue, such as `--format: `. `flags` are the command's own flags by field. They take precedence over
 * the flags of a start.
 */
export function formatFlagPrefix({ pointer, parameter, header }: Issue, flags: FlagNamesByField = {}): string {
  if (header?.toLowerCase() === "idempotency-key") return "--idempotency-key: ";
  const [field = "", part] = pointer === undefined ? splitParameter(parameter ?? "") : splitPointer(pointer);
  if (field === "searchParam") return part === undefined ? "--where: " : `--where ${toSafeText(part)}: `;
  const flag =
    field === "options" ? findFlag(flagsOfStarts, part) : (findFlag(flags, field) ?? findFlag(flagsOfStarts, field));
  return flag === undefined ? "" : `${flag}: `;
}

function splitPointer(pointer: string): readonly string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Splits `searchParam.health` at the first dot only, because the name of a filter may contain dots. */
function splitParameter(parameter: string): readonly string[] {
  const dot = parameter.indexOf(".");
  return dot === -1 ? [parameter] : [parameter.slice(0, dot), parameter.slice(dot + 1)];
}

function findFlag(flags: FlagNamesByField, field: string | undefined): string | undefined {
  return field !== undefined && Object.hasOwn(flags, field) ? flags[field] : undefined;
}
