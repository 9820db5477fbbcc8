import { listElements } from "../http/list-header.ts";

/** Longest wait that a caller may ask for. docs/reference/resources/reports.md#reading-a-report. */
const maxWaitSeconds = 30;

/** Preferences that are read; nobody states more. */
const maxPreferences = 20;
// One preference with its value; parameters may follow after a semicolon, and are passed over. RFC 7240 §2.
const preference = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?\s*(?:;|$)/;

/**
 * How long a caller's `Prefer` header wants to wait, in seconds, at most 30; null when it does not ask, or not in a way that can be
 * understood: a preference is never an error. RFC 7240 §4.3. The first of several counts.
 */
export function parseWaitPreference(header: string | undefined): number | null {
  for (const part of listElements(header ?? "", maxPreferences)) {
    const [, name, quoted, bare] = preference.exec(part) ?? [];
    if (name?.toLowerCase() !== "wait") continue;
    const value = quoted ?? bare ?? "";
    return /^\d{1,9}$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}
