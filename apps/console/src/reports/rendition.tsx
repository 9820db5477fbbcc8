import type { Report, ReportFileRecord } from "@reports/client";
import { CopyButton } from "../parts/copy.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { RemoveButton } from "../parts/remove-button.tsx";
import { formatCountedNoun, formatByteSize } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { hasAuthority, session } from "../shell/session.ts";
import { showToast } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { ShareButton } from "./share-button.tsx";
import { isUnfinished, ReportState } from "./report-state.tsx";
import { toDirAttribute } from "../parts/direction.ts";

const removedNotice = "File removed.";

export function Rendition(props: {
  readonly file: ReportFileRecord;
  readonly report: Report;
  readonly onChange: () => void;
}) {
  const { file, report, onChange } = props;
  const { id, options, fileName, size, sha256, error } = file;
  const name = fileName ?? file.format;
  const mayRemove = [file.requestedBy, report.requestedBy].includes(session.value!.id) || hasAuthority(REPORTS_ADMIN);
  const remove = async (): Promise<void> => session.value!.gateway.reports.files(report.id).remove(id);
  return (
    <li>
      <div class="spread">
        <b dir={toDirAttribute(name)}>{name}</b>
        <ReportState report={file} />
      </div>
      <p class="muted small">
        {[
          ...(size === null ? [] : [formatByteSize(size)]),
          formatCountedNoun(options.columns.length, "column"),
          ...(file.rowCount === null ? [] : [formatCountedNoun(file.rowCount, "row")]),
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
          <ActionButton
            key="download"
            label="Download"
            recordName={name}
            isPrimary
            act={async () => downloadFile(report, { id, fileName })}
          />
        )}
        {fileName !== null && <ShareButton key="share" reportId={report.id} file={{ id, fileName }} />}
        {mayRemove && isUnfinished(file) && (
          <ActionButton
            key="cancel"
            label="Cancel"
            recordName={name}
            act={async () => {
              await remove();
              showToast(removedNotice);
              onChange();
            }}
          />
        )}
        {mayRemove && !isUnfinished(file) && (
          <RemoveButton
            key="remove"
            recordName={name}
            label="Remove"
            title="Remove this file?"
            text={`“${name}” is removed for everybody. It can be made again while the rows are kept.`}
            done={removedNotice}
            act={remove}
            onRemoved={onChange}
          />
        )}
      </div>
    </li>
  );
}
