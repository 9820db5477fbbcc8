import type { CreatedDownloadLink, ReportFile } from "@reports/client";
import { useRef, useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { QueryContent } from "../parts/notices.tsx";
import { formatTimeOmittingToday, formatRelativeTime } from "../parts/time-text.ts";
import { session } from "../shell/session.ts";
import { useFormSubmission } from "../shell/use-form-submission.ts";
import { useQuery } from "../shell/use-query.ts";
import { requireHttpUrlOrThrow } from "./download.ts";

type SharedFile = Pick<ReportFile, "id" | "fileName">;

export function ShareButton({ reportId, file }: { readonly reportId: string; readonly file: SharedFile }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-label={`Share: ${file.fileName}`} onClick={() => setOpen(true)}>
        Share
      </button>
      {isOpen && <ShareDialog reportId={reportId} file={file} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog(props: { readonly reportId: string; readonly file: SharedFile; readonly onClose: () => void }) {
  const { reportId, file, onClose } = props;
  const links = session.value!.gateway.reports.links(reportId, file.id);
  const [created, setCreated] = useState<CreatedDownloadLink | null>(null);
  const active = useQuery(`links ${file.id}`, async (_, options) => links.list(options));
  const submission = useFormSubmission();
  const closeButton = useRef<HTMLButtonElement>(null);
  const create = async (): Promise<void> => {
    const link = await links.create();
    requireHttpUrlOrThrow(link.url);
    setCreated(link);
    active.reload();
  };
  const revoke = async (id: string): Promise<void> => {
    await links.revoke(id);
    if (id === created?.id) setCreated(null);
    active.reload();
    // Revoking a link removes the button that had the focus.
    closeButton.current?.focus();
  };
  return (
    <Dialog title="Share this file" onClose={onClose}>
      <section aria-labelledby="share-page">
        <h3 id="share-page">With colleagues who have an account</h3>
        <p class="hint">They sign in, and need the right to see reports of this type.</p>
        <SharedText text={location.href} label="Copy the link to this page" />
      </section>
      <section aria-labelledby="share-file">
        <h3 id="share-file">With anyone</h3>
        <p class="hint">Anyone who has the link can download the file without signing in, until the link ends.</p>
        {created !== null && (
          <>
            <SharedText text={created.url} label="Copy the download link" />
            <p role="status">
              Valid until {formatTimeOmittingToday(created.expiresAt, Date.now())}. The address is shown only now.
            </p>
          </>
        )}
        {/* The button stays, because it has the focus. */}
        <button
          type="button"
          class={created === null ? "primary" : "quiet"}
          aria-disabled={submission.isBusy}
          onClick={submission.handle(create)}
        >
          {created === null ? "Make a download link" : "Make another link"}
        </button>
        {/* A message outside of a modal dialog would be behind it. */}
        {submission.failure !== null && (
          <p class="wrong" role="alert">
            {submission.failure.detail}
          </p>
        )}
      </section>
      <QueryContent result={active}>
        {(found) =>
          found.length > 0 && (
            <section aria-labelledby="share-links">
              <h3 id="share-links">Active links to this file</h3>
              <ul class="links">
                {found.map(({ id, createdAt, expiresAt }) => (
                  <li key={id}>
                    <span>
                      Made {formatRelativeTime(createdAt, Date.now())}, valid until{" "}
                      {formatTimeOmittingToday(expiresAt, Date.now())}
                      {id === created?.id && " (the link above)"}
                    </span>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Revoke: the link that is valid until ${formatTimeOmittingToday(expiresAt, Date.now())}`}
                      onClick={submission.handle(async () => revoke(id))}
                    >
                      Revoke
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )
        }
      </QueryContent>
      <div class="buttons">
        <button ref={closeButton} type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function SharedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="secret">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
