import { REPORTS_ADMIN, WEBHOOKS_WRITE, type Principal, type ReportAccess } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import {
  normaliseWebhookUrl,
  webhookPauseCauses,
  webhookNotFoundError,
  type Webhook,
  type WebhookLists,
  type WebhookInputRules,
  type WebhookStore,
} from "@reports/core/webhook";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { DeliveryVisibilityFilter } from "@reports/core/report";
import { webhookDeliverySchema, webhookSchema, type Webhook as WebhookResource } from "@reports/core/wire";
import { toOwnerFilter, type OwnedRecordKind } from "../../endpoint/owned-record-kind.ts";
import type { SealSecret } from "../../webhook-keys/seal-secret.ts";
import type { HttpValidators } from "../../http/conditional-headers.ts";
import type { ListConcurrencyLimiter } from "../../limits/list-concurrency-limiter.ts";
import { createResponseSerializer } from "../../resource/record-resource.ts";

export interface WebhooksDeps {
  readonly webhooks: {
    readonly store: WebhookStore;
    readonly lists: WebhookLists;
    readonly seal: SealSecret;
    readonly findUrlProblem: WebhookInputRules["findUrlProblem"];
  };
  readonly reportAccess: Pick<ReportAccess, "visibleTo">;
  readonly lists: ListConcurrencyLimiter;
  readonly catalogue: { readonly find: (type: string) => unknown };
  readonly newId: () => string;
  readonly now: () => Date;
  readonly basePath: string;
}

export function defineWebhookRecordKind({ webhooks }: Pick<WebhooksDeps, "webhooks">): OwnedRecordKind<Webhook> {
  return {
    singular: "webhook",
    authority: WEBHOOKS_WRITE,
    find: async (id) => webhooks.store.find(id),
    notFound: webhookNotFoundError,
    gone: webhookDeletedError,
  };
}

/** Returns which deliveries of a webhook a caller may see. Even the webhook's owner sees only those about visible reports and schedules. */
export function toDeliveryVisibilityFilter(
  { reportAccess }: WebhooksDeps,
  principal: Principal,
): DeliveryVisibilityFilter {
  return { reports: reportAccess.visibleTo(principal), schedulesOf: toOwnerFilter(principal) };
}

/**
 * Returns the authorities to store with a webhook of an external account. Returns an empty list for local users, whose authorities are in the
 * database.
 */
export function selectAuthoritiesToStore({ id, authorities }: Principal): readonly string[] {
  return id.startsWith(userPrincipalPrefix) ? [] : [...authorities].toSorted();
}

export function webhookDeletedError(): DomainError {
  return new DomainError("gone", "record-deleted", "The webhook was deleted.");
}

export function createWebhookRules(deps: WebhooksDeps, principal: Principal): WebhookInputRules {
  return {
    findUrlProblem: deps.webhooks.findUrlProblem,
    isReportType: (name) => deps.catalogue.find(name) !== undefined,
    mayHaveAll: principal.authorities.has(REPORTS_ADMIN),
  };
}

export function tooManyWebhooksError(of: "too-many-of-owner" | "too-many-of-all"): DomainError {
  const message =
    of === "too-many-of-owner"
      ? "There are 20 webhooks of this caller. Delete one first."
      : "The limit of 100 webhooks for the reports of all callers is reached. Delete one first.";
  return new DomainError("invalid", "too-many-webhooks", message, { issues: [{ code: "too_many", message }] });
}

/** Version of a webhook's JSON form. It is part of the entity tag, so that copies of an older form are not reused. Tags of version 1 lack it. */
const representationVersion = 3;

/** Returns the entity tag of a webhook. If-Match compares only the revision, so that deliveries and tags of older forms do not fail a write. */
export function toWebhookValidators({
  revision,
  lastDeliveredAt,
  failingSince,
}: Pick<Webhook, "revision" | "lastDeliveredAt" | "failingSince">): HttpValidators {
  const observed = [["d", lastDeliveredAt] as const, ["f", failingSince] as const].map(([name, at]) =>
    at === null ? "" : `.${name}${at.getTime().toString(36)}`,
  );
  return { etag: `"w${revision}-${representationVersion}${observed.join("")}"`, partForIfMatch: readRevision };
}

function readRevision(etag: string): string | null {
  return /^"w(\d+)(?:-[\w.]+)?"$/.exec(etag)?.[1] ?? null;
}

const showWebhook = createResponseSerializer(webhookSchema);

export function toWebhookResource(webhook: Webhook): WebhookResource {
  const { url, pausedBecause } = webhook;
  return showWebhook({
    ...webhook,
    // Older versions of the service stored URLs as callers typed them.
    url: normaliseWebhookUrl(url) ?? url,
    pausedBecause: pausedBecause === null ? null : { code: pausedBecause, detail: webhookPauseCauses[pausedBecause] },
  });
}

export const toDeliveryResource = createResponseSerializer(webhookDeliverySchema);
