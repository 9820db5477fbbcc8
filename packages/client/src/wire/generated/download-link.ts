// Written by `pnpm generate client-enumerations` from the schemas of the wire.
/** How long a link lives. */
export interface DownloadLinkInput {
  /** For how long it lives; as long as the deployment allows by default, and no longer. */
  readonly expiresInSeconds?: number | null | undefined;
}

/** A link by which a file is downloaded without credentials. */
export interface CreatedDownloadLink {
  /** By which it is revoked. */
  readonly id: string;
  /**
   * Downloads the file without credentials. An absolute URL if the deployment has a PUBLIC_URL, else a path. Shown only
   * once.
   */
  readonly url: string;
  /** When it ends, unless it is ended before. */
  readonly expiresAt: string;
}

/** An active link to a file. Its address is not included: it is shown only when the link is created. */
export interface DownloadLink {
  /** By which it is revoked. */
  readonly id: string;
  /** The principal that made it. */
  readonly createdBy: string;
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends, unless it is ended before. */
  readonly expiresAt: string;
}
