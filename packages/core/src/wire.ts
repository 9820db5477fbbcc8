// Schemas and types of requests and responses, named as in the OpenAPI document. `@public` marks exports that no code of this repository uses.

export { problemCatalogue, problemCodes, type ProblemCode } from "./base/problems/problem-catalogue.ts";
export type { ProblemType } from "./base/problems/problem-type.ts";
export { problemSchema } from "./wire/problem-schema.ts";
/** @public */
export type { Issue, Problem } from "./wire/problem-schema.ts";

export {
  reportFileRecordSchema,
  reportIdSchema,
  reportSchema,
  startedReportSchema,
  type Report,
  type ReportFileRecord,
} from "./wire/report-schema.ts";
/** @public */
export type { ReportFile, ReportProgress, StartedReport } from "./wire/report-schema.ts";
export { reportEventSchema, type ProgressEvent, type ReportEvent } from "./wire/report-event-schema.ts";
/** @public */
export type { ReportFileStart, ReportPatch, ReportStart } from "./wire/report-start.ts";
export { reportTypeSchema, type ReportType } from "./wire/report-type-schema.ts";
export { filterChoiceSchema, reportEstimateSchema, reportRowSchema } from "./wire/preview-schema.ts";
/** @public */
export type { ReportEstimate, ReportRow } from "./wire/preview-schema.ts";

export { scheduleFireSchema, type ReportScheduleFire } from "./schedule/run-record.ts";
export { reportScheduleSchema, type ReportSchedule } from "./schedule/schedule-record.ts";

export { laneSchema, workerSchema } from "./wire/queue-schema.ts";
/** @public */
export type { Lane, Worker } from "./wire/queue-schema.ts";

export { createdDownloadLinkSchema, downloadLinkInputSchema, downloadLinkSchema } from "./wire/download-link-schema.ts";
/** @public */
export type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/download-link-schema.ts";

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
/** @public */
export type {
  CreatedWebhook,
  DeliveryInput,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
} from "./webhook/webhook-schema.ts";

/** @public */
export { domainResourceSchema } from "./inventory/domain-record.ts";
/** @public */
export { proxyResourceSchema } from "./inventory/proxy-record.ts";
/** @public */
export type { Domain, DomainInput, Proxy, ProxyInput } from "./wire/inventory-types.ts";

export { callerSchema } from "./wire/caller-schema.ts";
/** @public */
export type { Caller } from "./wire/caller-schema.ts";
export { tokenSchema } from "./wire/token-schema.ts";
/** @public */
export type { Token } from "./wire/token-schema.ts";

export { choiceField } from "./wire/named-choices.ts";
