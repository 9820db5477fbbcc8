import { expect, test } from "vitest";
import { createAuthorities, REPORTS_ADMIN } from "./authorities.ts";
import { createReportAccess } from "./report-access.ts";

const authorities = createAuthorities({ reportTypes: ["PROXY", "PROXY_DOMAIN"] });

function callerOf(id: string, ...held: readonly string[]) {
  return { id, kind: "bearer", displayName: null, authorities: new Set(held), endsAt: null } as const;
}

test("whoever holds a type's authority may know of every report of the type", () => {
  const access = createReportAccess({ authorities, visibility: "type" });
  expect(access.visibleTo(callerOf("bob", "REPORT_PROXY"))).toEqual({ reportTypes: ["PROXY"], requestedBy: null });
});

test("where reports are their requester's, others know of none but as administrators, and these only of their types", () => {
  const access = createReportAccess({ authorities, visibility: "requester" });
  expect(access.visibleTo(callerOf("bob", "REPORT_PROXY"))).toEqual({ reportTypes: ["PROXY"], requestedBy: "bob" });
  const administrator = callerOf("eve", "REPORT_PROXY", REPORTS_ADMIN);
  expect(access.visibleTo(administrator)).toEqual({ reportTypes: ["PROXY"], requestedBy: null });
  expect(access.visibleTo(callerOf("eve", REPORTS_ADMIN))).toEqual({ reportTypes: [], requestedBy: null });
});

test.each(["type", "requester"] as const)(
  "only the requester and administrators may change a report: %s",
  (visibility) => {
    const { mayChange } = createReportAccess({ authorities, visibility });
    const report = { requestedBy: "alice" };
    expect(mayChange(callerOf("alice"), report)).toBe(true);
    expect(mayChange(callerOf("eve", REPORTS_ADMIN), report)).toBe(true);
    expect(mayChange(callerOf("bob", "REPORT_PROXY"), report)).toBe(false);
  },
);
