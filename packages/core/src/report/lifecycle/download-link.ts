import { hash, randomBytes } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { Clock, IdMaker } from "../../base/file-store.ts";
import type { DownloadLink } from "./download-link-record.ts";
import { openFinishedFileOrThrow, type OpenDeps, type OpenedReport } from "./open-report.ts";
import type { Report } from "./report-record.ts";

export interface DownloadLinkFilter {
  readonly reportId: string;
  readonly fileId: string;
  readonly createdBy: string | null;
}

export interface DownloadLinkStore {
  /** Stores a link unless its creator has `maxActive` active links, counted over all instances of the API. Returns whether it was stored. */
  create(link: Omit<DownloadLink, "revokedAt"> & { readonly tokenHash: string }, maxActive: number): Promise<boolean>;
  list(links: DownloadLinkFilter, now: Date): Promise<readonly DownloadLink[]>;
  /** Revokes a link. Returns false for an unknown or expired link, and true also for a link that was already revoked. */
  revoke(links: DownloadLinkFilter & { readonly id: string }, now: Date): Promise<boolean>;
  find(tokenHash: string): Promise<DownloadLink | null>;
}

const maxActiveLinks = 20;

const tokenBytes = 32;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export interface CreateDownloadLinkDeps extends OpenDeps {
  readonly links: Pick<DownloadLinkStore, "create">;
  readonly newId: IdMaker;
  readonly now: Clock;
}

/**
 * Creates a link for a caller who may download the file. The link expires after `seconds`, but not later than the caller's credentials. Rejects as
 * openFinishedFileOrThrow does, and with DomainError("invalid") if the caller has too many links.
 */
export async function createDownloadLink(
  deps: CreateDownloadLinkDeps,
  wanted: {
    readonly report: Report;
    readonly fileId: string;
    readonly createdBy: string;
    readonly seconds: number;
    readonly credentialsEndAt: Date | null;
  },
): Promise<{ readonly link: DownloadLink; readonly token: string }> {
  const { report, fileId, createdBy, seconds, credentialsEndAt } = wanted;
  await openFinishedFileOrThrow(deps, report, fileId);
  const createdAt = deps.now();
  const ends = Math.min(createdAt.getTime() + seconds * 1000, credentialsEndAt?.getTime() ?? Infinity);
  const link = { id: deps.newId(), reportId: report.id, fileId, createdBy, createdAt, expiresAt: new Date(ends) };
  const token = randomBytes(tokenBytes).toString("base64url");
  if (!(await deps.links.create({ ...link, tokenHash: hash("sha256", token) }, maxActiveLinks))) {
    const message = `The caller has reached the limit of ${maxActiveLinks} active links. Revoke one, or wait until one has ended.`;
    throw new DomainError("invalid", "too-many-links", message, { issues: [{ code: "too_many", message }] });
  }
  return { link: { ...link, revokedAt: null }, token };
}

export interface OpenLinkedFileDeps extends OpenDeps {
  readonly links: Pick<DownloadLinkStore, "find">;
  readonly now: Clock;
  readonly mayStillRead: (principalId: string, report: Report) => Promise<boolean>;
}

interface LinkedFile {
  readonly link: DownloadLink;
  readonly report: Report;
  readonly opened: OpenedReport & { readonly kind: "ready" };
}

/** Opens the file of a link. Rejects with one not-found error for an unknown token, an ended link, a missing file or a lost authority. */
export async function openLinkedFile(deps: OpenLinkedFileDeps, token: string): Promise<LinkedFile> {
  const link = tokenPattern.test(token) ? await deps.links.find(hash("sha256", token)) : null;
  if (link === null) throw downloadLinkNotFoundError(null);
  if (link.revokedAt !== null || link.expiresAt <= deps.now()) throw downloadLinkNotFoundError(link);
  const asEnded = (error: unknown): never => {
    throw error instanceof DomainError && (error.kind === "gone" || error.kind === "not-found")
      ? downloadLinkNotFoundError(link)
      : error;
  };
  const report = await deps.reports.find(link.reportId);
  if (report === null || !(await deps.mayStillRead(link.createdBy, report))) throw downloadLinkNotFoundError(link);
  const opened = await openFinishedFileOrThrow(deps, report, link.fileId).catch(asEnded);
  return {
    link,
    report,
    opened: {
      ...opened,
      open: async (options) => opened.open(options).catch(asEnded),
      check: async (options) => opened.check(options).catch(asEnded),
    },
  };
}

/** Returns the error for a missing or ended link. The caller sees the same error for both; only the audit log shows the report of an `ended` link. */
export function downloadLinkNotFoundError(ended: Pick<DownloadLink, "reportId"> | null): DomainError {
  const message = "There is no such link, or it has ended.";
  const details = ended === null ? {} : { hides: { recordType: "report", recordId: ended.reportId } };
  return new DomainError("not-found", "link-not-found", message, details);
}
