// Programs outside of this repository use these exports, so knip and public-names.test.ts do not require a use of each one here.
export { createGateway, type Gateway } from "./create-gateway.ts";
export type { GatewayOf, GatewayOptions, RecordGateway } from "./compose-gateway.ts";
export type { Credentials } from "./transport/authorizer.ts";
export type { CallOptions, Retry, StartOptions, WriteOptions } from "./call-options.ts";
export { GatewayError, ReportFailedError, WaitTimeoutError, type ClientErrorCode } from "./errors.ts";
export type { ReportNews } from "./follow-events.ts";
export type { ReportRecords } from "./report-records.ts";
export type { Reports, RunOptions, RunProgress } from "./reports.ts";
export type { ReportFileRecords } from "./report-file-records.ts";
export type { FileWaitOptions, ReportFiles } from "./report-files.ts";
export type { WaitOptions } from "./wait-for-report.ts";
export type { DownloadLinks } from "./download-links.ts";
export type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/generated/download-link.ts";
export type { DownloadOptions, DownloadProgress } from "./download-file.ts";
export type { List, Page } from "./list.ts";
export type { Collection, Stored, Patch } from "./collection.ts";
export {
  compressions,
  deliveryStatuses,
  languages,
  orientations,
  papers,
  reportFormats,
  reportStatuses,
  webhookEventTypes,
  webhookStatuses,
  type Compression,
  type DeliveryErrorCode,
  type Language,
  type Orientation,
  type Paper,
  type ProblemCode,
  type ReportErrorCode,
  type ReportFormat,
  type ReportLane,
  type ReportStatus,
  type ScheduleStatus,
  type WebhookEventType,
} from "./wire/generated/enumerations.ts";
export type { FilterValue } from "./wire/filter-value.ts";
export type {
  ProgressEvent,
  Report,
  ReportError,
  ReportEvent,
  ReportFile,
  ReportFileRecord,
  ReportLinks,
  ReportOptions,
  ReportProgress,
  ReportWarning,
  StartedReport,
} from "./wire/generated/report.ts";
export type { ReportFileStart, ReportStart } from "./wire/generated/report-start.ts";
export type {
  ReportType,
  ReportTypeColumn,
  ReportTypeFormat,
  FilterChoice,
  ReportEstimate,
  ReportRow,
} from "./wire/generated/report-type.ts";
export type { EstimateQuery, ReportTypes } from "./report-types.ts";
export type {
  ReportOptionsOf,
  ReportScheduleInputOf,
  ReportStartOf,
  ReportTypeName,
  RowsQuery,
  TypedDefinition,
} from "./typed-requests.ts";
export type { Lane, Worker } from "./wire/generated/queue.ts";
export type { ReportSchedules, ScheduleTiming } from "./schedules.ts";
export type { ReportSchedule, ReportScheduleFire, ReportScheduleInput } from "./wire/generated/report-schedule.ts";
export type { Webhooks } from "./webhooks.ts";
export type {
  CreatedWebhook,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
} from "./wire/generated/webhook.ts";
export type {
  DeliveryQuery,
  WebhookQuery,
  DomainQuery,
  ProxyQuery,
  ReportQuery,
  ReportScheduleFireQuery,
  ReportScheduleQuery,
  ServedDomainQuery,
} from "./wire/generated/queries.ts";
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookPayload,
  type ReceivedWebhook,
  type VerifyOptions,
} from "./verify-webhook.ts";
export type { Caller } from "./wire/generated/caller.ts";
export type { Issue, Problem } from "./wire/generated/problem.ts";
export type { Domain, DomainInput, Proxy, ProxyInput } from "./wire/generated/inventory.ts";
export type { ListQuery } from "./wire/list-query.ts";
export {
  reportFileOptions,
  reportOptions,
  reportOptionTexts,
  scheduleFields,
  scheduleFieldTexts,
  webhookFields,
  webhookFieldTexts,
  type FieldFacts,
} from "./wire/generated/fields.ts";
export { flagNameOf } from "./wire/flag-name.ts";
