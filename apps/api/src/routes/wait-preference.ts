import { listElements } from "../http/list-header.ts";

/** Longest wait. docs/reference/resources/reports.md#reading-a-report. */
const maxWaitSeconds = 30;

const maxPreferences = 20;
// One preference with its value; parameters after a semicolon are ignored. RFC 7240 §2.
const preference = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?\s*(?:;|$)/;

/** Returns seconds, at most 30; null if missing or unreadable, because a preference is never an error. RFC 7240 §4.3. */
export function parseWaitPreference(header: string | undefined): number | null {
  for (const part of listElements(header ?? "", maxPreferences)) {
    const [, name, quoted, bare] = preference.exec(part) ?? [];
    if (name?.toLowerCase() !== "wait") continue;
    const value = quoted ?? bare ?? "";
    return /^\d{1,9}$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}
