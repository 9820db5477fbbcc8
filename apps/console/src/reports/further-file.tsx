import type { Report, ReportFileRecord } from "@reports/client";
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { countText, sizeText } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { may, session } from "../shell/session.ts";
import { attempt, say } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { isOpen, ReportState } from "./report-state.tsx";

/** A further file of a report: where it stands, its SHA-256, and what can be done with it by whoever is signed in. */
export function FurtherFile(props: {
  readonly file: ReportFileRecord;
  readonly report: Report;
  /** Called when the file has changed. */
  readonly onChange: () => void;
}) {
  const { file, report, onChange } = props;
  const [isAsking, ask] = useState(false);
  const { id, options, fileName, size, sha256, error } = file;
  const name = fileName ?? file.format;
  const mayRemove = [file.requestedBy, report.requestedBy].includes(session.value!.id) || may(REPORTS_ADMIN);
  const word = isOpen(file) ? "Cancel" : "Remove";
  const remove = async (): Promise<void> => {
    const isDone = await attempt(async () => session.value!.gateway.reports.files(report.id).remove(id));
    if (isDone) say("The file is removed.");
    onChange();
  };
  return (
    <li>
      <div class="spread">
        <b dir="auto">{name}</b>
        <ReportState report={file} />
      </div>
      <p class="muted small">
        {[
          ...(size === null ? [] : [sizeText(size)]),
          `${options.columns.length} columns`,
          ...(file.rowCount === null ? [] : [`${countText(file.rowCount)} rows`]),
          options.timezone,
        ].join(" · ")}
        {" · "}
        <Time at={file.createdAt} />
      </p>
      {sha256 !== null && (
        <p class="hash">
          <code>{sha256}</code>
          <CopyButton text={sha256} label={`Copy the SHA-256: ${name}`} />
        </p>
      )}
      {error !== null && <p class="wrong">{error.detail}</p>}
      {file.warnings.map(({ code, message }) => (
        <p key={code} class="hint">
          {message}
        </p>
      ))}
      <div class="buttons">
        {fileName !== null && (
          <button
            type="button"
            class="quiet strong"
            aria-label={`Download: ${name}`}
            onClick={() => void downloadFile(report, { id, fileName })}
          >
            Download
          </button>
        )}
        {mayRemove && (
          <button
            type="button"
            class="quiet danger"
            aria-label={`${word}: ${name}`}
            onClick={() => (isOpen(file) ? void remove() : ask(true))}
          >
            {word}
          </button>
        )}
      </div>
      {isAsking && (
        <Confirm
          title="Remove this file?"
          text={`“${name}” is removed for everybody. Another one can be made while the rows are kept.`}
          button="Remove"
          onConfirm={remove}
          onClose={() => ask(false)}
        />
      )}
    </li>
  );
}
