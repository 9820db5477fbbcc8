const certificateFields = [
  "certIssuer",
  "certKeyType",
  "certNotBefore",
  "certNotAfter",
  "certFingerprintSha256",
] as const;

/** A broken rule about several fields of a domain. `field` names the field that the caller must change. */
export interface DomainRuleViolation {
  readonly field: string;
  readonly code: "required" | "invalid_value";
  readonly message: string;
}

export function findDomainRuleViolations(fields: Readonly<Record<string, unknown>>): DomainRuleViolation[] {
  return [...findCertificateProblems(fields), ...findTimeProblems(fields), ...findHstsProblems(fields)];
}

function findCertificateProblems(fields: Readonly<Record<string, unknown>>): DomainRuleViolation[] {
  const { tlsMode } = fields;
  if (tlsMode === "ACME" || tlsMode === "CUSTOM") {
    return certificateFields
      .filter((field) => isAbsent(fields[field]))
      .map((field) => ({ field, code: "required", message: `is required when tlsMode is ${tlsMode}` }));
  }
  if (tlsMode !== "NONE" && tlsMode !== "PASSTHROUGH") return [];
  return certificateFields
    .filter((field) => !isAbsent(fields[field]))
    .map((field) => ({
      field,
      code: "invalid_value",
      message: `must be left out or null when tlsMode is ${tlsMode}: the proxy then holds no certificate`,
    }));
}

function findTimeProblems({ certNotBefore, certNotAfter }: Readonly<Record<string, unknown>>): DomainRuleViolation[] {
  if (!(certNotBefore instanceof Date) || !(certNotAfter instanceof Date) || certNotAfter > certNotBefore) return [];
  return [{ field: "certNotAfter", code: "invalid_value", message: "must be after certNotBefore" }];
}

function findHstsProblems({ hstsEnabled, httpsForced }: Readonly<Record<string, unknown>>): DomainRuleViolation[] {
  if (hstsEnabled !== true || httpsForced === true) return [];
  return [{ field: "hstsEnabled", code: "invalid_value", message: "must be false unless httpsForced is true" }];
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
