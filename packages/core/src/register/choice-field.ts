import { fireOutcomes, missedPolicies, overlapPolicies, scheduleStatuses } from "../schedule/schedule.ts";
import { z } from "zod";
import { columnKinds } from "../report/column.ts";
import { compressions, reportFormats } from "../report/format.ts";
import { reportLanes } from "../report/lane.ts";
import { progressPhases, reportStatuses } from "../report/record.ts";
import { allow, describe } from "../collection/field-rule.ts";
import {
  certKeyTypes,
  domainIssues,
  domainStatuses,
  severities,
  tlsMinVersions,
  tlsModes,
  upstreamSchemes,
} from "./domain.ts";
import { adminStates, environments, healths, proxyKinds, proxyProtocols, proxySoftwares } from "./proxy.ts";

type Values = readonly [string, ...string[]];
type Choice<T extends Values> = z.ZodEnum<{ [V in T[number]]: V }>;

/** Values that clients know by a name: one component of OpenAPI each, wherever they stand, in records, bodies and filters. */
const named: ReadonlyMap<Values, z.ZodType> = new Map(
  (
    [
      ["ProxyKind", proxyKinds, "What a proxy does: takes requests for servers, sends those of clients, or passes on."],
      ["ProxySoftware", proxySoftwares, "What the proxy runs."],
      ["ProxyProtocol", proxyProtocols, "What clients speak to the proxy."],
      ["Environment", environments, "Which environment a proxy belongs to."],
      ["AdminState", adminStates, "What its operators want of a proxy."],
      ["Health", healths, "What probes saw last."],
      ["DomainStatus", domainStatuses, "Where a domain stands in its life."],
      ["UpstreamScheme", upstreamSchemes, "What the proxy speaks to the upstream."],
      [
        "TlsMode",
        tlsModes,
        "Who terminates TLS: nobody, the proxy (with a certificate from ACME or a custom one), or the upstream.",
      ],
      ["TlsMinVersion", tlsMinVersions, "The lowest version of TLS that is accepted."],
      ["CertKeyType", certKeyTypes, "Algorithm and size of a certificate's key."],
      ["Severity", severities, "How soon a certificate expires, worst first."],
      ["DomainIssue", domainIssues, "What is wrong with a domain."],
      ["ScheduleStatus", scheduleStatuses, "Whether a schedule fires, waits until somebody resumes it, or is over."],
      ["MissedPolicy", missedPolicies, "What becomes of times at which no worker was there."],
      ["OverlapPolicy", overlapPolicies, "What becomes of a time at which an earlier report is unfinished."],
      ["FireOutcome", fireOutcomes, "What came of one time of a schedule."],
      ["ReportStatus", reportStatuses, "Where a report stands in its life."],
      ["ReportFormat", reportFormats, "The format of a report's file."],
      ["Compression", compressions, "How a report's file is compressed."],
      ["ProgressPhase", progressPhases, "What is being done for a report right now."],
      ["ReportLane", reportLanes, "A lane of the queue: of short reports, of long ones, of those that run alone."],
      ["ColumnKind", columnKinds, "What a column of a report holds."],
    ] as const satisfies readonly (readonly [string, Values, string])[]
  ).map(([id, values, description]) => [values, choice(values).meta({ id, description })]),
);

/** One of the values. */
export function choiceField<const T extends Values>(values: T): Choice<T> {
  return (named.get(values) as Choice<T> | undefined) ?? choice(values);
}

function choice<const T extends Values>(values: T): Choice<T> {
  const must = `must be one of ${values.join(", ")}`;
  return z.enum(values, allow(must)).meta(describe(must));
}
