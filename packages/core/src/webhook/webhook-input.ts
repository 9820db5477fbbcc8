import {
  toPatchedBody,
  readValidBodyFields,
  readRecordInput,
  type RecordInputRules,
} from "../record/collection-input.ts";
import { DomainError, type InputIssue } from "../base/errors.ts";
import { webhookInputSchema } from "./webhook-schema.ts";
import type { JsonObject } from "../base/json-object.ts";
import { invalidInputError } from "../base/truncate-issues.ts";
import { webhookRecord, type Webhook, type WebhookFields } from "./webhook-record.ts";
import { normaliseWebhookUrl } from "./webhook-url.ts";

type NewWebhookFields = Omit<WebhookFields, "status">;

export interface WebhookInputRules {
  /** Returns the end of an error message that begins with "url"; null if the URL is allowed. */
  readonly findUrlProblem: (url: string) => string | null;
  readonly isReportType: (name: string) => boolean;
  readonly mayHaveAll: boolean;
}

/** A new webhook has no status in its body, because it is always ACTIVE. */
const inputRules: RecordInputRules<NewWebhookFields> = {
  ...webhookRecord.rules,
  schema: webhookInputSchema,
  fields: webhookRecord.rules.fields.filter((field) => field !== "status"),
  serverFields: [...webhookRecord.rules.serverFields, "status"],
  keptDefaults: {},
};
const patchRules = webhookRecord.rules;

/** Reads a new webhook. Throws DomainError: "invalid" with every mistake, or "forbidden" for the scope ALL without its authority. */
export function readWebhookInput(body: unknown, rules: WebhookInputRules): NewWebhookFields {
  return readWebhookFields(inputRules, body, null, rules);
}

export function readWebhookPatch(patch: unknown, stored: Webhook, rules: WebhookInputRules): WebhookFields {
  const body = toPatchedBody(patchRules, patch, stored as unknown as JsonObject);
  return readWebhookFields(patchRules, body, stored, rules);
}

function readWebhookFields<Input extends NewWebhookFields>(
  own: RecordInputRules<Input>,
  body: unknown,
  stored: Webhook | null,
  { findUrlProblem, isReportType, mayHaveAll }: WebhookInputRules,
): Input {
  const result = readRecordInput(own, body, (stored ?? {}) as JsonObject);
  const { url, reportTypes }: Partial<NewWebhookFields> = result.ok
    ? result.input
    : readValidBodyFields(webhookInputSchema, body);
  const issues: InputIssue[] = result.ok ? [] : [...result.issues];
  const normal = url === undefined ? undefined : (normaliseWebhookUrl(url) ?? url);
  // A stored URL is not checked again when other fields change. Every connection checks the receiver's address anyway.
  const isStored = stored !== null && normal === (normaliseWebhookUrl(stored.url) ?? stored.url);
  const problem =
    url === undefined || normal === undefined || isStored ? null : (findUrlProblem(url) ?? findUrlProblem(normal));
  if (problem !== null) issues.push({ pointer: "/url", code: "forbidden_address", message: `url ${problem}` });
  for (const [index, type] of (reportTypes ?? []).entries()) {
    if (isReportType(type) || stored?.reportTypes?.includes(type) === true) continue;
    const message = `reportTypes[${index}] must be the name of a report type in /v1/report-types.`;
    issues.push({ pointer: `/reportTypes/${index}`, code: "unknown_report_type", message });
  }
  if (!result.ok || issues.length > 0)
    throw invalidInputError("invalid", "invalid-record", "The webhook is not valid", issues);
  if (result.input.of === "ALL" && stored?.of !== "ALL" && !mayHaveAll)
    throw new DomainError("forbidden", "authority-missing", "The caller lacks the required authority REPORTS_ADMIN.");
  return { ...result.input, url: isStored ? stored.url : (normal ?? result.input.url) };
}
