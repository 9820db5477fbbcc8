import { webhookFields, webhookFieldTexts, type CreatedWebhook } from "@reports/client";
import { useState } from "preact/hooks";
import { Chips } from "../parts/chips.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { fieldLabel } from "../parts/field-values.ts";
import { DerivedFields } from "../parts/derived-fields.tsx";
import { FailedStart, focusFirstInvalid } from "../parts/failed-start.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { toFailure, type Failure } from "../shell/failure.ts";
import { changeQuery, buildHref, route, replaceRoute } from "../shell/route.ts";
import { hasAuthority, session, startableTypes } from "../shell/session.ts";
import { issuesByField } from "../parts/issues.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { nonDerivedFields, readWebhookInput, webhookFieldLabel } from "./webhook-draft.ts";
import { eventOptions } from "./webhook-texts.ts";

/** The form of a new webhook. The URL fragment holds its state, so that the state survives a new sign-in. */
export function NewWebhookPage() {
  const { query } = route.value;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const input = readWebhookInput(query);
  const errors = issuesByField(failure?.issues ?? []);
  const set = (name: string) => (values: readonly string[]) => changeQuery({ [name]: [values.join(",")] });

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      setCreated(await session.value!.gateway.webhooks.create(input));
    } catch (error) {
      const failed = toFailure(error);
      setFailure(failed);
      if (failed !== null) focusFirstInvalid(failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <PageHead
        eyebrow="Webhooks"
        title="New webhook"
        lead="Your system gets a signed request that says what has happened, and where to read about it."
      />
      <form class="two" onSubmit={(event) => void submit(event)} noValidate>
        <div>
          <section aria-labelledby="where">
            <h2 id="where">Receiver</h2>
            <div class="search">
              <TextField
                name="url"
                label={fieldLabel("url", webhookFields.url)}
                value={query.get("url") ?? ""}
                placeholder="https://receiver.example.com/hook"
                hint="https on port 443 of a public host, or an address that the operator of the gateway allows."
                error={errors.get("url")}
                onInput={(value) => set("url")([value])}
              />
            </div>
          </section>
          <section aria-labelledby="what">
            <h2 id="what">When to notify it</h2>
            <Chips
              label={fieldLabel("events", webhookFields.events)}
              name="events"
              options={eventOptions}
              chosen={input.events}
              error={errors.get("events")}
              onChange={set("events")}
            />
            {startableTypes.value.length > 0 && (
              <Chips
                label={fieldLabel("reportTypes", webhookFields.reportTypes)}
                name="reportTypes"
                hint="Choose none for all of them."
                options={startableTypes.value.map(({ reportType, title }) => ({ value: reportType, label: title }))}
                chosen={input.reportTypes ?? []}
                error={errors.get("reportTypes")}
                onChange={set("reportTypes")}
              />
            )}
            {hasAuthority(REPORTS_ADMIN) && (
              <div class="any-of">
                <span class="label" aria-hidden="true">
                  Whose reports
                </span>
                <span>
                  <Choice
                    label="Whose reports"
                    value={input.of ?? "OWN"}
                    options={[
                      { value: "OWN", label: "My own" },
                      { value: "ALL", label: "Everybody's" },
                    ]}
                    onChange={(value) => set("of")([value])}
                  />
                </span>
              </div>
            )}
            <DerivedFields
              fields={webhookFields}
              texts={webhookFieldTexts}
              except={nonDerivedFields}
              query={query}
              errors={errors}
            />
          </section>
        </div>
        <aside class="box" aria-label="Webhook">
          <p class="muted small">
            {input.events.length} {input.events.length === 1 ? "event" : "events"},{" "}
            {input.reportTypes?.length ? `report types: ${input.reportTypes.length}` : "all report types"}. Its secret
            is shown once, when it has been created.
          </p>
          <FailedStart failure={failure} title="The webhook was not created" labelOf={webhookFieldLabel} />
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {isBusy ? "Creating …" : "Create the webhook"}
          </button>
        </aside>
      </form>
      {created !== null && (
        <SecretDialog
          secret={created.secret}
          previousEndsAt={null}
          // Removes the webhook's address, which may be confidential, from the browser history.
          onClose={() => replaceRoute(buildHref(`webhooks/${created.id}`))}
        />
      )}
    </>
  );
}
