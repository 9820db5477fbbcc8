/** @public For callers on Node.js. */
export { createGateway, type DownloadTarget, type Gateway } from "./create-gateway.ts";
/** @public For callers. */
export type { GatewayOf, GatewayOptions } from "../compose-gateway.ts";
/** @public For callers. */
export type { Credentials } from "../transport/authorizer.ts";
/** @public For callers. */
export type { CallOptions, StartOptions, WriteOptions } from "../call-options.ts";
/** @public For callers. */
export { GatewayError, ReportFailedError, WaitTimeoutError, type ClientErrorCode } from "../errors.ts";
/** @public For callers. */
export type { ReportNews } from "../follow-events.ts";
/** @public For callers. */
export type { Reports, RunOptions, RunProgress } from "../reports.ts";
/** @public For callers. */
export type { FileWaitOptions, ReportFiles } from "../report-files.ts";
/** @public For callers. */
export type { WaitOptions } from "../wait-for-report.ts";
/** @public For callers. */
export type { DownloadLinks } from "../download-links.ts";
/** @public For callers. */
export type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "../wire/download-link.ts";
/** @public For callers. */
export type { DownloadOptions, DownloadProgress } from "../download-file.ts";
/** @public For callers. */
export type { List, Page } from "../list.ts";
/** @public For callers. */
export type { Collection, Stored } from "../collection.ts";
/** @public For callers. */
export {
  compressions,
  orientations,
  papers,
  reportFormats,
  reportStatuses,
  webhookEventTypes,
  type Compression,
  type DeliveryErrorCode,
  type Orientation,
  type Paper,
  type ProblemCode,
  type ReportErrorCode,
  type ReportFormat,
  type ReportLane,
  type ReportStatus,
  type ScheduleStatus,
  type WebhookEventType,
} from "../wire/enumerations.ts";
/** @public For callers. */
export type {
  FilterValue,
  ProgressEvent,
  Report,
  ReportError,
  ReportEvent,
  ReportFile,
  ReportFileRecord,
  ReportFileStart,
  ReportLinks,
  ReportOptions,
  ReportProgress,
  ReportStart,
  ReportWarning,
  StartedReport,
} from "../wire/report.ts";
/** @public For callers. */
export type { ReportType, ReportTypeColumn, ReportTypeFormat } from "../wire/report-type.ts";
/** @public For callers. */
export type { EstimateQuery, ReportEstimate, ReportRow, RowsQuery } from "../wire/report-estimate.ts";
/** @public For callers. */
export type { Lane, Worker } from "../wire/queue.ts";
/** @public For callers. */
export type { ReportTypes } from "../report-types.ts";
/** @public For callers. */
export type { ReportSchedules } from "../schedules.ts";
/** @public For callers. */
export type { ReportSchedule, ReportScheduleFire, ReportScheduleInput } from "../wire/report-schedule.ts";
/** @public For callers. */
export type { Caller } from "../wire/caller.ts";
/** @public For callers. */
export type { Issue, Problem } from "../wire/problem.ts";
/** @public For callers. */
export type { Domain, DomainInput, Patch, Proxy, ProxyInput } from "../wire/register.ts";
/** @public For receivers of webhooks. */
export {
  verifyWebhook,
  WebhookVerificationError,
  type ReceivedWebhook,
  type VerifyOptions,
} from "../verify-webhook.ts";
/** @public For callers. */
export type { Webhooks } from "../webhooks.ts";
/** @public For callers. */
export type {
  CreatedWebhook,
  DeliveryQuery,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WebhookPayload,
  WebhookQuery,
} from "../wire/webhook.ts";
/** @public For callers. */
export type {
  DomainQuery,
  ListQuery,
  ProxyQuery,
  ReportQuery,
  ReportScheduleFireQuery,
  ReportScheduleQuery,
  ServedDomainQuery,
} from "../wire/queries.ts";
