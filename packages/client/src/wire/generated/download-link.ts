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
   * Gives the file to whoever has it. Absolute where the deployment knows its own address, else a path. Shown only
   * once.
   */
  readonly url: string;
  /** When it ends, unless it is ended before. */
  readonly expiresAt: string;
}

/** A living link to a file, without its address, which is shown only once. */
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
