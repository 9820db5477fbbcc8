/** What stands before the name of one of our own users in a principal's id. No other principal's id begins so. */
export const userPrincipalPrefix = "basic:";

/**
 * Whether the one who asked for a report may still have it: a user of ours is looked up again, because authorities can be lost while a
 * report waits. Rejects with StoreUnavailableError.
 */
export type RequesterCheck = (reportId: string) => Promise<boolean>;
