/** Changes and deletes reports of others. docs/reference/resources/access.md#authorities. */
export const REPORTS_ADMIN = "REPORTS_ADMIN";
/** Reads the inventory. docs/reference/resources/access.md#authorities. */
export const REGISTRY_READ = "REGISTRY_READ";
/** Manages webhooks. docs/reference/resources/access.md#authorities. */
export const WEBHOOKS_WRITE = "WEBHOOKS_WRITE";
