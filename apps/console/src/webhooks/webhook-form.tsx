import { webhookFields, type WebhookInput } from "@reports/client";
import type { ComponentChildren } from "preact";
import { Chips } from "../parts/chips.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { selectFieldLabel } from "../parts/field-values.ts";
import { DerivedFields } from "../parts/derived-fields.tsx";
import { FormFailure } from "../parts/form-failure.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import type { CallFailure } from "../shell/call-failure.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { hasAuthority, listStartableTypes } from "../shell/session.ts";
import { groupIssuesByField } from "../parts/issues.ts";
import { nonGenericWebhookFields, findWebhookFieldLabel } from "./webhook-draft.ts";
import { eventTypeChoices } from "./webhook-texts.ts";

export function WebhookForm(props: {
  readonly title: string;
  readonly lead: string;
  readonly query: URLSearchParams;
  readonly input: WebhookInput;
  readonly failure: CallFailure | null;
  readonly failureTitle: string;
  readonly secretText: string;
  readonly button: string;
  readonly isBusy: boolean;
  readonly onSubmit: (event: Event) => void;
  readonly children?: ComponentChildren;
}) {
  const { title, lead, query, input, failure } = props;
  const errors = groupIssuesByField(failure?.issues ?? []);
  const set = (name: string) => (values: readonly string[]) => changeRouteQuery({ [name]: [values.join(",")] });
  return (
    <>
      <PageHead eyebrow="Webhooks" title={title} lead={lead} />
      {props.children}
      <form class="two" onSubmit={props.onSubmit} noValidate>
        <div>
          <section aria-labelledby="where">
            <h2 id="where">Receiver</h2>
            <div class="search">
              <TextField
                name="url"
                label={selectFieldLabel("url", webhookFields.url)}
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
              label={selectFieldLabel("events", webhookFields.events)}
              name="events"
              options={eventTypeChoices}
              chosen={input.events}
              error={errors.get("events")}
              onChange={set("events")}
            />
            {listStartableTypes().length > 0 && (
              <Chips
                label={selectFieldLabel("reportTypes", webhookFields.reportTypes)}
                name="reportTypes"
                hint="Choose none for all of them."
                options={listStartableTypes().map(({ reportType, title }) => ({ value: reportType, label: title }))}
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
            <DerivedFields fields={webhookFields} except={nonGenericWebhookFields} query={query} errors={errors} />
          </section>
        </div>
        <aside class="box" aria-label="Webhook">
          <p class="muted small">
            {input.events.length} {input.events.length === 1 ? "event" : "events"},{" "}
            {input.reportTypes?.length ? `report types: ${input.reportTypes.length}` : "all report types"}.{" "}
            {props.secretText}
          </p>
          <FormFailure failure={failure} title={props.failureTitle} labelOf={findWebhookFieldLabel} />
          <button type="submit" class="primary" aria-disabled={props.isBusy}>
            {props.button}
          </button>
        </aside>
      </form>
    </>
  );
}
