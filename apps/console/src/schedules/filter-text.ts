import { wordOf } from "../parts/text.ts";

/** The values of a filter in words; codes of the gateway as words. */
export function filterText(value: unknown): string {
  return [value]
    .flat()
    .map((one) => (typeof one === "string" && /^[A-Z_]+$/.test(one) ? wordOf(one) : String(one)))
    .join(" or ");
}
