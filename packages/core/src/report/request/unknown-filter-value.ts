import { truncateText } from "../../base/truncate-issues.ts";
import { findNearestName } from "../../query/nearest-name.ts";

export interface FilterChoice {
  readonly value: string;
  readonly title: string;
}

export interface UnknownFilterValue {
  readonly name: string;
  readonly value: string;
  readonly choices: readonly FilterChoice[];
}

/** Largest number of unknown values per request that get a suggestion, because each search for a similar value takes some milliseconds. */
const maxSuggestions = 2;
const maxListedValues = 10;
const maxGivenLength = 60;
/** Length to which an allowed value or its title is cut. Ten of both fit into the message of one mistake. */
const maxAllowedLength = 40;

export function describeUnknownFilterValue(
  type: string,
  { name, value, choices }: UnknownFilterValue,
  found: number,
): string {
  const problem = `${name} has no value ${quote(value, maxGivenLength)}.`;
  return found < maxSuggestions ? `${problem}${suggest(value, choices)} ${listAllowed(type, name, choices)}` : problem;
}

function suggest(given: string, choices: readonly FilterChoice[]): string {
  const wanted = given.toLowerCase();
  const words = choices.flatMap(({ value, title }) => (title === value ? value : [value, title]));
  const similar =
    words.find((word) => word.toLowerCase() === wanted) ??
    words.find((word) => word.toLowerCase().startsWith(wanted)) ??
    findNearestName(given, words);
  const nearest = choices.find(({ value, title }) => value === similar || title === similar);
  return nearest === undefined ? "" : ` Did you mean ${describeChoice(nearest)}?`;
}

function listAllowed(type: string, name: string, choices: readonly FilterChoice[]): string {
  if (choices.length === 0) return "The filter has no values now.";
  const listed = choices.slice(0, maxListedValues).map(describeChoice);
  const more = choices.length - listed.length;
  if (more === 0) return `Allowed: ${listed.join(", ")}.`;
  return `Allowed: ${listed.join(", ")} and ${more} more, which /v1/report-types/${type}/filters/${name}/values lists.`;
}

function describeChoice({ value, title }: FilterChoice): string {
  const quoted = quote(value, maxAllowedLength);
  return title === value ? quoted : `${quoted} (${truncateText(title, maxAllowedLength)})`;
}

function quote(text: string, maxLength: number): string {
  return JSON.stringify(truncateText(text, maxLength));
}
