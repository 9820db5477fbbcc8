/** @public For callers in browsers. */
export { createGateway, type Gateway } from "./create-gateway.ts";
/** @public For callers. */
export type { GatewayOf, GatewayOptions } from "./compose-gateway.ts";
/** @public For callers. */
export type { Credentials } from "./transport/authorizer.ts";
/** @public For callers. */
export type { CallOptions, Retry, StartOptions, WriteOptions } from "./call-options.ts";
/** @public For callers. */
export { GatewayError, ReportFailedError, WaitTimeoutError, type ClientErrorCode } from "./errors.ts";
/** @public For callers. */
export type { ReportNews } from "./follow-events.ts";
/** @public For callers. */
export type { Reports, RunOptions, RunProgress } from "./reports.ts";
/** @public For callers. */
export type { FileWaitOptions, ReportFiles } from "./report-files.ts";
/** @public For callers. */
export type { WaitOptions } from "./wait-for-report.ts";
/** @public For callers. */
export type { DownloadLinks } from "./download-links.ts";
/** @public For callers. */
export type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/generated/download-link.ts";
/** @public For callers. */
export type { DownloadOptions, DownloadProgress } from "./download-file.ts";
/** @public For callers. */
export type { List, Page } from "./list.ts";
/** @public For callers. */
export type { Collection, Stored, Patch } from "./collection.ts";
/** @public For callers. */
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
/** @public For callers. */
export type { FilterValue } from "./wire/filter-value.ts";
/** @public For callers. */
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
/** @public For callers. */
export type { ReportFileStart, ReportStart } from "./wire/generated/report-start.ts";
/** @public For callers. */
export type {
  ReportType,
  ReportTypeColumn,
  ReportTypeFormat,
  FilterChoice,
  ReportEstimate,
  ReportRow,
} from "./wire/generated/report-type.ts";
/** @public For callers. */
export type { EstimateQuery, ReportTypes } from "./report-types.ts";
/** @public For callers with a package of report types. */
export type {
  ReportOptionsOf,
  ReportScheduleInputOf,
  ReportStartOf,
  ReportTypeName,
  RowsQuery,
  TypedDefinition,
} from "./typed-requests.ts";
/** @public For callers. */
export type { Lane, Worker } from "./wire/generated/queue.ts";
/** @public For callers. */
export type { ReportSchedules, ScheduleTiming } from "./schedules.ts";
/** @public For callers. */
export type { ReportSchedule, ReportScheduleFire, ReportScheduleInput } from "./wire/generated/report-schedule.ts";
/** @public For callers. */
export type { Webhooks } from "./webhooks.ts";
/** @public For callers. */
export type {
  CreatedWebhook,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
} from "./wire/generated/webhook.ts";
/** @public For callers. */
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
/** @public For callers. */
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookPayload,
  type ReceivedWebhook,
  type VerifyOptions,
} from "./verify-webhook.ts";
/** @public For callers. */
export type { Caller } from "./wire/generated/caller.ts";
/** @public For callers. */
export type { Issue, Problem } from "./wire/generated/problem.ts";
/** @public For callers. */
export type { Domain, DomainInput, Proxy, ProxyInput } from "./wire/generated/inventory.ts";
/** @public For callers. */
export type { ListQuery } from "./wire/list-query.ts";
/** @public For programs that ask people for options and fields. */
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
/** @public For programs that name flags of the command line. */
export { flagNameOf } from "./wire/flag-name.ts";
