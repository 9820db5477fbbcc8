// The wire: what callers send and get, as schemas and as types, under the names that the OpenAPI description gives them.

// Problems
export { problemCatalogue, problemCodes, type ProblemCode } from "./http/problem-catalogue.ts";
export type { ProblemType } from "./http/problem-type.ts";
export { problemSchema } from "./http/problem-schema.ts";
/** @public For clients. */
export type { Issue, Problem } from "./http/problem-schema.ts";

// Reports
export {
  reportFileRecordSchema,
  reportIdSchema,
  reportSchema,
  startedReportSchema,
  type Report,
  type ReportFileRecord,
} from "./http/report-schema.ts";
/** @public For clients. */
export type { ReportFile, ReportProgress, StartedReport } from "./http/report-schema.ts";
export { reportEventSchema, type ProgressEvent, type ReportEvent } from "./http/report-event-schema.ts";
/** @public For clients. */
export type { ReportFileStart, ReportPatch, ReportStart } from "./http/report-start.ts";
export { reportTypeSchema, type ReportType } from "./http/report-type-schema.ts";
export { reportEstimateSchema, reportRowSchema } from "./http/preview-schema.ts";
/** @public For clients. */
export type { ReportEstimate, ReportRow } from "./http/preview-schema.ts";

// Schedules
export {
  reportScheduleSchema,
  scheduleFireSchema,
  type ReportSchedule,
  type ReportScheduleFire,
} from "./http/report-schedule-schema.ts";

// The queue
export { laneSchema, workerSchema } from "./http/queue-schema.ts";
/** @public For clients. */
export type { Lane, Worker } from "./http/queue-schema.ts";

// Links to files
export { createdDownloadLinkSchema, downloadLinkInputSchema, downloadLinkSchema } from "./http/download-link-schema.ts";
/** @public For clients. */
export type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./http/download-link-schema.ts";

// Webhooks
export {
  createdWebhookSchema,
  deliveryInputSchema,
  rotatedSecretSchema,
  rotateSecretSchema,
  webhookDeliverySchema,
  webhookInputSchema,
  webhookPatchSchema,
  webhookPayloads,
  webhookSchema,
  type WebhookDelivery,
} from "./http/webhook-schema.ts";
/** @public For clients. */
export type {
  CreatedWebhook,
  DeliveryInput,
  RotatedSecret,
  Webhook,
  WebhookInput,
  WebhookPatch,
} from "./http/webhook-schema.ts";

// The register
/** @public For clients. */
export { domainResourceSchema } from "./register/domains-collection.ts";
/** @public For clients. */
export { proxyResourceSchema } from "./register/proxies-collection.ts";
/** @public For clients. */
export type { Domain, DomainInput, Proxy, ProxyInput } from "./http/register-types.ts";

// Credentials
export { callerSchema } from "./http/caller-schema.ts";
/** @public For clients. */
export type { Caller } from "./http/caller-schema.ts";
export { tokenSchema } from "./http/token-schema.ts";
/** @public For clients. */
export type { Token } from "./http/token-schema.ts";

// For generators of clients
