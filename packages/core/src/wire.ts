// Requests and responses as schemas and types, under the names of the OpenAPI document.

// Problems
export { problemCatalogue, problemCodes, type ProblemCode } from "./base/problems/problem-catalogue.ts";
export type { ProblemType } from "./base/problems/problem-type.ts";
export { problemSchema } from "./wire/problem-schema.ts";
/** @public For clients. */
export type { Issue, Problem } from "./wire/problem-schema.ts";

// Reports
export {
  reportFileRecordSchema,
  reportIdSchema,
  reportSchema,
  startedReportSchema,
  type Report,
  type ReportFileRecord,
} from "./wire/report-schema.ts";
/** @public For clients. */
export type { ReportFile, ReportProgress, StartedReport } from "./wire/report-schema.ts";
export { reportEventSchema, type ProgressEvent, type ReportEvent } from "./wire/report-event-schema.ts";
/** @public For clients. */
export type { ReportFileStart, ReportPatch, ReportStart } from "./wire/report-start.ts";
export { reportTypeSchema, type ReportType } from "./wire/report-type-schema.ts";
export { filterChoiceSchema, reportEstimateSchema, reportRowSchema } from "./wire/preview-schema.ts";
/** @public For clients. */
export type { ReportEstimate, ReportRow } from "./wire/preview-schema.ts";

// Schedules
export { scheduleFireSchema, type ReportScheduleFire } from "./schedule/run-record.ts";
export { reportScheduleSchema, type ReportSchedule } from "./schedule/schedule-record.ts";

// The queue
export { laneSchema, workerSchema } from "./wire/queue-schema.ts";
/** @public For clients. */
export type { Lane, Worker } from "./wire/queue-schema.ts";

// Links to files
export { createdDownloadLinkSchema, downloadLinkInputSchema, downloadLinkSchema } from "./wire/download-link-schema.ts";
/** @public For clients. */
export type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/download-link-schema.ts";

// Webhooks
export { webhookDeliverySchema } from "./webhook/delivery-record.ts";
export { webhookPayloads } from "./webhook/event-payloads.ts";
export {
  createdWebhookSchema,
  deliveryInputSchema,
  rotatedSecretSchema,
  rotateSecretSchema,
  webhookInputSchema,
  webhookPatchSchema,
  webhookSchema,
} from "./webhook/webhook-schema.ts";
/** @public For clients. */
export type {
  CreatedWebhook,
  DeliveryInput,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
} from "./webhook/webhook-schema.ts";

// The inventory
/** @public For clients. */
export { domainResourceSchema } from "./inventory/domain-record.ts";
/** @public For clients. */
export { proxyResourceSchema } from "./inventory/proxy-record.ts";
/** @public For clients. */
export type { Domain, DomainInput, Proxy, ProxyInput } from "./wire/inventory-types.ts";

// Credentials
export { callerSchema } from "./wire/caller-schema.ts";
/** @public For clients. */
export type { Caller } from "./wire/caller-schema.ts";
export { tokenSchema } from "./wire/token-schema.ts";
/** @public For clients. */
export type { Token } from "./wire/token-schema.ts";

// Values with names
export { choiceField } from "./wire/named-choices.ts";
