import { splitListHeader } from "../http/list-header.ts";

/** Maximum duration of a wait. A longer `wait` is reduced to it. docs/reference/resources/reports.md#reading-a-report. */
const maxWaitSeconds = 30;

const maxPreferences = 20;
// Matches one preference with its value, up to the next semicolon. Parameters after the semicolon are ignored. RFC 7240 §2.
const preferencePattern = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?\s*(?:;|$)/;

/**
 * Returns the value of `wait` in a Prefer header, in seconds and at most 30. Returns null if `wait` is missing or malformed, because a server
 * must not refuse a preference. RFC 7240 §4.3.
 */
export function parseWaitPreference(header: string | undefined): number | null {
  for (const part of splitListHeader(header ?? "", maxPreferences)) {
    const [, name, quoted, bare] = preferencePattern.exec(part) ?? [];
    if (name?.toLowerCase() !== "wait") continue;
    const value = quoted ?? bare ?? "";
    return /^\d{1,9}$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}
