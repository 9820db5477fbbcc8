import type { RotatedSecret, Webhook } from "@reports/client";
import { useState } from "preact/hooks";
import { ActionButton } from "../parts/action-button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import type { PageProps } from "../shell/page-props.ts";
import { navigate, buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { session } from "../shell/session.ts";
import { runAction, showToast } from "../shell/toasts.tsx";
import { Deliveries } from "./deliveries.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookState } from "./webhook-state.tsx";
import { findPauseTexts } from "./webhook-texts.ts";

const pollMs = 10_000;

export function WebhookPage({ id }: PageProps) {
  const result = useQuery(
    `webhook ${id}`,
    async (gateway, options) => gateway.webhooks.get(id, options),
    () => pollMs,
  );
  return (
    <>
      {result.value === null && <PageHead eyebrow="Webhook" title="Webhook" />}
      <QueryContent result={result}>
        {(webhook) => <WebhookDetails webhook={webhook} reload={result.reload} />}
      </QueryContent>
    </>
  );
}

function WebhookDetails({ webhook, reload }: { readonly webhook: Webhook; readonly reload: () => void }) {
  const { id, url, status } = webhook;
  const [isConfirming, setConfirming] = useState(false);
  const [rotated, setRotated] = useState<RotatedSecret | null>(null);
  const [tests, setTests] = useState(0);
  const { webhooks } = session.value!.gateway;
  const paused = findPauseTexts(webhook);

  const test = async (): Promise<void> => {
    await webhooks.test(id);
    showToast("Test sent. Its result appears below.");
    setTests(tests + 1);
  };
  const rotate = async (): Promise<void> => {
    await runAction(async () => setRotated(await webhooks.rotateSecret(id)));
  };

  return (
    <>
      <PageHead eyebrow="Webhook" title={url.split("/")[2] ?? url} lead={<WebhookState webhook={webhook} />}>
        {status === "ACTIVE" && <ActionButton label="Send a test" recordName={url} isPrimary act={test} />}
        <button type="button" class="quiet" onClick={() => setConfirming(true)}>
          Rotate the secret
        </button>
        <WebhookActions webhook={webhook} onChange={reload} onRemoved={() => navigate(buildHref("webhooks"))} />
      </PageHead>
      {paused !== undefined && (
        <div class="notice warn">
          <h2>Paused by the service</h2>
          <p>{paused[0]}</p>
          <p>
            <b>What to do:</b> {paused[1]}
          </p>
        </div>
      )}
      <div class="two">
        <Deliveries webhook={webhook} tests={tests} />
        <WebhookFacts webhook={webhook} />
      </div>
      {isConfirming && (
        <Confirm
          title="Rotate the secret?"
          text="The current secret keeps signing for another day, and earlier ones until their day is over."
          button="Rotate"
          onConfirm={rotate}
          onClose={() => setConfirming(false)}
        />
      )}
      {rotated !== null && !isConfirming && (
        <SecretDialog
          secret={rotated.secret}
          previousEndsAt={rotated.previousSecretEndsAt}
          onClose={() => setRotated(null)}
        />
      )}
    </>
  );
}
