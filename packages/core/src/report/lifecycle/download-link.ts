import { createHash, randomBytes } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { Clock, IdMaker } from "../../base/file-store.ts";
import type { DownloadLink } from "./link-record.ts";
import { openFinishedFile, type OpenDeps, type OpenedReport } from "./open-report.ts";
import type { Report } from "./report-record.ts";

/** Which links are meant: those to one file, of one principal or (null) of all. */
export interface LinksOfFile {
  readonly reportId: string;
  readonly fileId: string;
  readonly createdBy: string | null;
}

/** Where links are kept. All methods reject with StoreUnavailableError. */
export interface DownloadLinkStore {
  /** Keeps a link unless its maker has so many living ones already, exactly, over all instances. Says whether it did. */
  create(link: Omit<DownloadLink, "revokedAt"> & { readonly tokenHash: string }, maxLiving: number): Promise<boolean>;
  /** Living ones at that time, newest first, 200 at most. */
  list(links: LinksOfFile, now: Date): Promise<readonly DownloadLink[]>;
  /** Ends a link; one that was revoked stays as it is. Says whether there is one whose time is not over. */
  revoke(links: LinksOfFile & { readonly id: string }, now: Date): Promise<boolean>;
  /** Finds one that has ended, too, until it is removed. */
  find(tokenHash: string): Promise<DownloadLink | null>;
}

/** How many living links one principal may have. */
const maxLivingLinks = 20;

const tokenBytes = 32;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** What making a link needs. */
export interface CreateLinkDeps extends OpenDeps {
  readonly links: Pick<DownloadLinkStore, "create">;
  readonly newId: IdMaker;
  readonly now: Clock;
}

/**
 * Makes a link to a file in the name of somebody who may download it. It ends with its time, and no later than the credentials by which it
 * was asked for. Rejects with DomainError: as a download where there is no file, invalid where there are too many links.
 */
export async function createDownloadLink(
  deps: CreateLinkDeps,
  wanted: {
    readonly report: Report;
    readonly fileId: string;
    readonly createdBy: string;
    readonly seconds: number;
    /** Null where the credentials have no end. */
    readonly credentialsEndAt: Date | null;
  },
): Promise<{ readonly link: DownloadLink; readonly token: string }> {
  const { report, fileId, createdBy, seconds, credentialsEndAt } = wanted;
  await openFinishedFile(deps, report, fileId);
  const createdAt = deps.now();
  const ends = Math.min(createdAt.getTime() + seconds * 1000, credentialsEndAt?.getTime() ?? Infinity);
  const link = { id: deps.newId(), reportId: report.id, fileId, createdBy, createdAt, expiresAt: new Date(ends) };
  const token = randomBytes(tokenBytes).toString("base64url");
  if (!(await deps.links.create({ ...link, tokenHash: hashOf(token) }, maxLivingLinks))) {
    const message = `The caller has reached the limit of ${maxLivingLinks} living links. Revoke one, or wait until one has ended.`;
    throw new DomainError("invalid", "too-many-links", message, { issues: [{ code: "too_many", message }] });
  }
  return { link: { ...link, revokedAt: null }, token };
}

/** What following a link needs. */
export interface OpenLinkDeps extends OpenDeps {
  readonly links: Pick<DownloadLinkStore, "find">;
  readonly now: Clock;
  /** Whether the one who made a link may still have the report. Rejects with StoreUnavailableError. */
  readonly mayStillRead: (principalId: string, report: Report) => Promise<boolean>;
}

/** A file that a link leads to. */
interface FollowedLink {
  readonly link: DownloadLink;
  readonly report: Report;
  readonly opened: OpenedReport & { readonly kind: "ready" };
}

/**
 * Finds the file that a token leads to. Rejects with the one not-found for a token that never was and for everything that has ended: the
 * link, the report, its file, and what its maker may have; and so does what opens the bytes.
 */
export async function followDownloadLink(deps: OpenLinkDeps, token: string): Promise<FollowedLink> {
  const link = tokenPattern.test(token) ? await deps.links.find(hashOf(token)) : null;
  if (link === null) throw linkNotFound(null);
  if (link.revokedAt !== null || link.expiresAt <= deps.now()) throw linkNotFound(link);
  const asEnded = (error: unknown): never => {
    throw error instanceof DomainError && (error.kind === "gone" || error.kind === "not-found")
      ? linkNotFound(link)
      : error;
  };
  const report = await deps.reports.find(link.reportId);
  if (report === null || !(await deps.mayStillRead(link.createdBy, report))) throw linkNotFound(link);
  const opened = await openFinishedFile(deps, report, link.fileId).catch(asEnded);
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

/** The error for a link that is not there or has ended (then it is given): to the caller always the same. */
export function linkNotFound(ended: Pick<DownloadLink, "reportId"> | null): DomainError {
  const message = "There is no such link, or it has ended.";
  const details = ended === null ? {} : { hides: { recordType: "report", recordId: ended.reportId } };
  return new DomainError("not-found", "link-not-found", message, details);
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
