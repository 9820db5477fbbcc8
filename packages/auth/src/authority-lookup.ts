import {
  authorityRule,
  builtInRegistrations,
  isAuthority,
  type RegisteredReportType,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { webhookAuthorities } from "@reports/core/webhook";

export const builtInTypeAuthorities: Readonly<Record<string, string>> = tableOf(builtInRegistrations.reportTypes);

export const REGISTRY_READ = "REGISTRY_READ";
export const REGISTRY_WRITE = "REGISTRY_WRITE";
/** The authority of administrators, who may also change the reports, schedules, webhooks and links of other principals. */
export const REPORTS_ADMIN = webhookAuthorities.all;
export const WEBHOOKS_WRITE = webhookAuthorities.have;

const serviceAuthorities: readonly string[] = [REGISTRY_READ, REGISTRY_WRITE, REPORTS_ADMIN, WEBHOOKS_WRITE];

export interface AuthorityLookup {
  of(reportType: string): string | undefined;
  typesFor(held: ReadonlySet<string>): readonly string[];
  readonly all: readonly string[];
}

export interface ReportTypesWithAuthorities {
  readonly definitions: readonly ReportTypeDefinition[];
  readonly authorities: AuthorityLookup;
}

/**
 * Finds the authority of each report type. `overrides` take precedence. Throws for a type without an authority, and for an override of an
 * unknown type.
 */
export function createAuthorityLookup(options: {
  readonly reportTypes: readonly string[];
  readonly table?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}): AuthorityLookup {
  const defaults = options.table ?? builtInTypeAuthorities;
  const overrides = options.overrides ?? {};
  const byType = new Map<string, string>();
  const problems: string[] = [];
  for (const type of options.reportTypes) {
    const authority = findOwnValue(overrides, type) ?? findOwnValue(defaults, type);
    if (authority === undefined) problems.push(`${type} has no authority: give it one where it is registered`);
    else if (!isAuthority(authority)) problems.push(`${type} has an authority that is not ${authorityRule}`);
    // An operator may require an authority of the service, such as REPORTS_ADMIN, for a report type. A package may not: callers who need its
    // reports would be granted the power over everything else too.
    else if (serviceAuthorities.includes(authority) && !Object.hasOwn(overrides, type))
      problems.push(`${type} has the authority ${authority}, which is the service's own: give it one of its own`);
    else if (byType.has(type)) problems.push(`${type} is registered twice`);
    else byType.set(type, authority);
  }
  for (const type of Object.keys(overrides)) {
    if (!options.reportTypes.includes(type)) problems.push(`${type} is given an authority but is not a report type`);
  }
  if (problems.length > 0)
    throw new Error(`The authorities of the report types are not complete: ${problems.join("; ")}.`);
  return {
    of: (reportType) => byType.get(reportType),
    typesFor: (held) => [...byType].filter(([, authority]) => held.has(authority)).map(([type]) => type),
    all: [...new Set(byType.values())],
  };
}

export function toTypesWithAuthorities(
  registrations: readonly RegisteredReportType[],
  options: { readonly overrides?: Readonly<Record<string, string>> } = {},
): ReportTypesWithAuthorities {
  const authorities = createAuthorityLookup({
    reportTypes: registrations.map(({ definition }) => definition.type),
    table: tableOf(registrations),
    ...options,
  });
  return { definitions: registrations.map(({ definition }) => definition), authorities };
}

function tableOf(registrations: readonly RegisteredReportType[]): Readonly<Record<string, string>> {
  return Object.fromEntries(registrations.map(({ definition, authority }) => [definition.type, authority]));
}

function findOwnValue(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
