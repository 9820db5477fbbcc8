import type { Report, ReportFileStart, ReportType } from "@reports/client";
import { useState } from "preact/hooks";
import { Select, TextField } from "../parts/fields.tsx";
import { RetryNotice } from "../parts/retry-notice.tsx";
import { useRetryingCall } from "../shell/use-retrying-call.ts";
import { useFormSubmission } from "../shell/use-form-submission.ts";
import { session } from "../shell/session.ts";
import { groupIssuesByField } from "../parts/issues.ts";

export function RenditionForm(props: {
  readonly report: Report;
  readonly type: ReportType;
  readonly onStart: () => void;
}) {
  const { report, type, onStart } = props;
  const formats = type.formats.map(({ format }) => format);
  const [format, setFormat] = useState<string>(formats.find((one) => one !== report.format) ?? report.format);
  const [columns, setColumns] = useState("");
  const [timezone, setTimezone] = useState(report.options.timezone);
  const submission = useFormSubmission();
  const { failure, isBusy } = submission;
  const retries = useRetryingCall();
  const errors = groupIssuesByField(failure?.issues ?? []);
  const all = type.columns.map(({ key }) => key);

  const submit = submission.handle(async () => {
    const body: ReportFileStart = { format, timezone, ...(columns === "all" && { columns: all }) };
    await retries.run(async (options) => session.value!.gateway.reports.files(report.id).start(body, options));
    onStart();
  });

  return (
    <form class="another" aria-label="Make another file" onSubmit={submit} noValidate>
      <Select
        label="Format"
        value={format}
        options={formats.map((value) => ({ value, label: value }))}
        error={errors.get("format")}
        onChange={setFormat}
      />
      {report.options.columns.length < all.length && (
        <Select
          label="Columns"
          value={columns}
          emptyLabel={`The ${report.options.columns.length} of the report`}
          options={[{ value: "all", label: `All ${all.length}` }]}
          error={errors.get("columns")}
          onChange={setColumns}
        />
      )}
      <TextField label="Time zone" value={timezone} error={errors.get("timezone")} onInput={setTimezone} />
      <button aria-disabled={isBusy}>{isBusy ? "Starting …" : "Make this file"}</button>
      {retries.retry !== null && <RetryNotice retry={retries.retry} doing="Starting" onCancel={retries.cancel} />}
      {failure !== null && errors.size === 0 && (
        <p class="wrong" role="alert">
          {failure.detail}
        </p>
      )}
    </form>
  );
}
