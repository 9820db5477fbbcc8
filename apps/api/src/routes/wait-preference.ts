import { splitListHeader } from "../http/list-header.ts";

/** Longer waits are shortened to this maximum. docs/reference/resources/reports.md#reading-a-report. */
const maxWaitSeconds = 30;

const maxPreferences = 20;
// Matches one preference and its value. Parameters after a semicolon are ignored. RFC 7240 §2.
const preferencePattern = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?\s*(?:;|$)/;

/** Returns the `wait` of a Prefer header in seconds, at most 30. Null if it is missing or malformed, because a preference is never an error. RFC 7240 §4.3. */
export function parseWaitPreference(header: string | undefined): number | null {
  for (const part of splitListHeader(header ?? "", maxPreferences)) {
    const [, name, quoted, bare] = preferencePattern.exec(part) ?? [];
    if (name?.toLowerCase() !== "wait") continue;
    const value = quoted ?? bare ?? "";
    return /^\d{1,9}$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}
