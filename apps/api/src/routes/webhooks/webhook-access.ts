import { REPORTS_ADMIN, WEBHOOKS_WRITE, type Principal, type ReportAccess } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import {
  normalUrl,
  pauseCauses,
  webhookNotFound,
  type Webhook,
  type WebhookLists,
  type WebhookRules,
  type WebhookStore,
} from "@reports/core/webhook";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { VisibleDeliveries } from "@reports/core/report";
import { webhookDeliverySchema, webhookSchema, type Webhook as WebhookResource } from "@reports/core/wire";
import { ownerScope, type OwnedRecords } from "../../endpoint/owned-records.ts";
import type { SealSecret } from "../../webhook-keys/seal-secret.ts";
import type { Validators } from "../../http/conditions.ts";
import type { ListSlots } from "../../limits/list-slots.ts";
import { showAs } from "../../resource/record-resource.ts";

/** Dependencies of the endpoints of webhooks. */
export interface WebhooksDeps {
  readonly webhooks: {
    readonly store: WebhookStore;
    readonly lists: WebhookLists;
    readonly seal: SealSecret;
    readonly judgeUrl: WebhookRules["judgeUrl"];
  };
  readonly reportAccess: Pick<ReportAccess, "visibleTo">;
  readonly lists: ListSlots;
  readonly catalogue: { readonly find: (type: string) => unknown };
  readonly newId: () => string;
  readonly now: () => Date;
  readonly basePath: string;
}

/** Webhooks as the framework loads them. */
export function ownedWebhooks({ webhooks }: Pick<WebhooksDeps, "webhooks">): OwnedRecords<Webhook> {
  return {
    singular: "webhook",
    authority: WEBHOOKS_WRITE,
    find: async (id) => webhooks.store.find(id),
    notFound: webhookNotFound,
    gone: webhookGone,
  };
}

/** The webhook's owner may have lost the authority of a report's type, or may never have held it. */
export function deliveriesSeenBy({ reportAccess }: WebhooksDeps, principal: Principal): VisibleDeliveries {
  return { reports: reportAccess.visibleTo(principal), schedulesOf: ownerScope(principal) };
}

/** What an owner's credentials grant, where nobody can be asked for it later. */
export function authoritySnapshot({ id, authorities }: Principal): readonly string[] {
  return id.startsWith(userPrincipalPrefix) ? [] : [...authorities].toSorted();
}

/** The error for a webhook that was deleted. */
export function webhookGone(): DomainError {
  return new DomainError("gone", "record-deleted", "The webhook was deleted.");
}

/** By what the body of a webhook is judged, for a caller. */
export function rulesFor(deps: WebhooksDeps, principal: Principal): WebhookRules {
  return {
    judgeUrl: deps.webhooks.judgeUrl,
    isReportType: (name) => deps.catalogue.find(name) !== undefined,
    mayHaveAll: principal.authorities.has(REPORTS_ADMIN),
  };
}

/** The error for one webhook too many. */
export function tooManyWebhooks(of: "too-many-of-owner" | "too-many-of-all"): DomainError {
  const message =
    of === "too-many-of-owner"
      ? "There are 20 webhooks of this caller. Delete one first."
      : "The limit of 100 webhooks for the reports of all callers is reached. Delete one first.";
  return new DomainError("invalid", "too-many-webhooks", message, { issues: [{ code: "too_many", message }] });
}

/** Changes with the shape of the record: `pausedBecause` was a text in 1, whose tags had one part. */
const representation = 2;

/** The strong entity tag of a webhook. If-Match compares the revision alone, so that tags of the earlier version count. */
export function webhookValidators({ revision }: Pick<Webhook, "revision">): Validators {
  return { etag: `"w${revision}-${representation}"`, partForIfMatch: revisionOf };
}

function revisionOf(etag: string): string | null {
  return /^"w(\d+)(?:-\d+)?"$/.exec(etag)?.[1] ?? null;
}

const show = showAs(webhookSchema);

/** Shows a webhook to callers. */
export function webhookResource(webhook: Webhook): WebhookResource {
  const { url, pausedBecause } = webhook;
  return show({
    ...webhook,
    // Earlier versions stored URLs as they were typed.
    url: normalUrl(url) ?? url,
    pausedBecause: pausedBecause === null ? null : { code: pausedBecause, detail: pauseCauses[pausedBecause] },
  });
}

/** Shows a delivery to callers. */
export const deliveryResource = showAs(webhookDeliverySchema);
