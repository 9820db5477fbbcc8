import { expect, test } from "vitest";
import { createAuthorityLookup, REPORTS_ADMIN } from "./authority-lookup.ts";
import { createReportAccess } from "./report-access.ts";

const authorities = createAuthorityLookup({ reportTypes: ["PROXY", "PROXY_DOMAIN"] });

function callerOf(id: string, ...held: readonly string[]) {
  return { id, kind: "bearer", displayName: null, authorities: new Set(held), endsAt: null } as const;
}

test("by default, callers with a type's authority see every report of the type", () => {
  const access = createReportAccess({ authorities, visibility: "type" });
  expect(access.visibleTo(callerOf("bob", "REPORT_PROXY"))).toEqual({ reportTypes: ["PROXY"], requestedBy: null });
});

test("with visibility `requester`, only the requester and administrators see a report", () => {
  const access = createReportAccess({ authorities, visibility: "requester" });
  expect(access.visibleTo(callerOf("bob", "REPORT_PROXY"))).toEqual({ reportTypes: ["PROXY"], requestedBy: "bob" });
  const administrator = callerOf("eve", "REPORT_PROXY", REPORTS_ADMIN);
  expect(access.visibleTo(administrator)).toEqual({ reportTypes: ["PROXY"], requestedBy: null });
  expect(access.visibleTo(callerOf("eve", REPORTS_ADMIN))).toEqual({ reportTypes: [], requestedBy: null });
});

test.each(["type", "requester"] as const)(
  "with visibility %s, only the requester and administrators may change a report",
  (visibility) => {
    const { mayChange } = createReportAccess({ authorities, visibility });
    const report = { requestedBy: "alice" };
    expect(mayChange(callerOf("alice"), report)).toBe(true);
    expect(mayChange(callerOf("eve", REPORTS_ADMIN), report)).toBe(true);
    expect(mayChange(callerOf("bob", "REPORT_PROXY"), report)).toBe(false);
  },
);
