/** Changing and deleting the reports of others. docs/reference/resources/access.md#authorities. */
export const REPORTS_ADMIN = "REPORTS_ADMIN";
/** Reading the register. docs/reference/resources/access.md#authorities. */
export const REGISTRY_READ = "REGISTRY_READ";
/** Having webhooks. docs/reference/resources/access.md#authorities. */
export const WEBHOOKS_WRITE = "WEBHOOKS_WRITE";
