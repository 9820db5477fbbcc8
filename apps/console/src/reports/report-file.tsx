import type { Report } from "@reports/client";
import { CopyButton } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { countText, sizeText } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { runAction } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { directionOf } from "../parts/direction.ts";

export function ReportFileSection({ report }: { readonly report: Report }) {
  const { file, rowCount, expiresAt } = report;
  if (file === null) return null;
  return (
    <section class="panel" aria-labelledby="file">
      <h2 id="file" dir={directionOf(file.fileName)}>
        {file.fileName}
      </h2>
      <Facts
        facts={[
          ["Size", sizeText(file.size)],
          rowCount === null ? null : ["Rows", countText(rowCount)],
          expiresAt === null ? null : ["Kept until", <Time key="kept" at={expiresAt} exact />],
          [
            "SHA-256",
            <span key="hash" class="hash">
              <code>{file.sha256}</code>
              <CopyButton text={file.sha256} label="Copy the SHA-256" />
            </span>,
          ],
        ]}
      />
      <button type="button" class="primary" onClick={() => void runAction(async () => downloadFile(report, file))}>
        Download {file.extension}, {sizeText(file.size)}
      </button>
    </section>
  );
}
