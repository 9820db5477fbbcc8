// Written by `pnpm generate client-enumerations` from the schemas of the wire.
/** The lifetime of a link to create. */
export interface DownloadLinkInput {
  /** Seconds until the link expires. The default is the maximum that the deployment allows. */
  readonly expiresInSeconds?: number | null | undefined;
}

/** A link by which a file is downloaded without credentials. */
export interface CreatedDownloadLink {
  /** ID of the link, with which it can be revoked. */
  readonly id: string;
  /**
   * Address that downloads the file without credentials. It is an absolute URL if the deployment has a PUBLIC_URL, else
   * a path. Only this response contains it.
   */
  readonly url: string;
  /** When the link expires. It can end earlier, for example because it is revoked. */
  readonly expiresAt: string;
}

/** An active link to a file. Its address is not included: it is shown only when the link is created. */
export interface DownloadLink {
  /** ID of the link, with which it can be revoked. */
  readonly id: string;
  /** The principal that created the link. */
  readonly createdBy: string;
  /** When the link was created. */
  readonly createdAt: string;
  /** When the link expires. It can end earlier, for example because it is revoked. */
  readonly expiresAt: string;
}
