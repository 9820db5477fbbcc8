/** For how long a link is to live. */
export interface DownloadLinkInput {
  /** As long as the deployment allows by default, and no longer. */
  readonly expiresInSeconds?: number | null | undefined;
}

/** A link by which a file is downloaded without credentials. docs/contract.md §5.5. */
export interface CreatedDownloadLink {
  /** By which it is revoked. */
  readonly id: string;
  /** Gives the file to whoever has it. Absolute where the deployment knows its own address, else a path. Told once. */
  readonly url: string;
  /** When it ends, unless it is ended before. */
  readonly expiresAt: string;
}

/** A living link to a file, without its address. */
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
