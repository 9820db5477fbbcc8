import { isSameValue } from "../base/same-value.ts";
import type { InputRules } from "./collection-input.ts";

/** Which version of a record this is. Every change makes at least one of the parts grow; the entity tag is made of both. */
export interface RecordVersion {
  /** Grows with every change of what people decide: all that is not observed. */
  readonly configuration: number;
  /** Grows with every change of what probes observe. */
  readonly observations: number;
}

/** The version of a record that has just been created. */
export const firstVersion: RecordVersion = { configuration: 1, observations: 0 };

type Fields = Readonly<Record<string, unknown>>;

/**
 * The version that the record has once the input is written; the one that it has already when that changes nothing. What is derived from
 * other fields and not read back changes with those.
 */
export function versionAfter(
  { observedFields }: Pick<InputRules<unknown>, "observedFields">,
  stored: { readonly record: object; readonly version: RecordVersion },
  input: unknown,
): RecordVersion {
  const before = stored.record as Fields;
  const changed = Object.entries(input as Fields)
    .filter(([field, value]) => Object.hasOwn(before, field) && !isSameValue(value, before[field]))
    .map(([field]) => field);
  const { configuration, observations } = stored.version;
  return {
    configuration: configuration + Number(changed.some((field) => !observedFields.includes(field))),
    observations: observations + Number(changed.some((field) => observedFields.includes(field))),
  };
}

/** Whether two versions are one. */
export function isSameVersion(one: RecordVersion, other: RecordVersion): boolean {
  return one.configuration === other.configuration && one.observations === other.observations;
}
