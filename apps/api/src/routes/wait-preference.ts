import { splitListHeader } from "../http/list-header.ts";

/** Maximum duration of a wait. A longer `wait` is reduced to it. docs/reference/resources/reports.md#reading-a-report. */
const maxWaitSeconds = 30;

const maxPreferences = 20;
// Matches one preference with its value, up to the next semicolon. Parameters after the semicolon are ignored. RFC 7240 §2.
const preferencePattern = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?\s*(?:;|$)/;

/** Returns the `wait` of a Prefer header in seconds, at most 30; null if it is missing or malformed, which is never an error. RFC 7240 §4.3. */
export function parseWaitPreference(header: string | undefined): number | null {
  for (const part of splitListHeader(header ?? "", maxPreferences)) {
    const [, name, quoted, bare] = preferencePattern.exec(part) ?? [];
    if (name?.toLowerCase() !== "wait") continue;
    const value = quoted ?? bare ?? "";
    return /^\d{1,9}$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}
