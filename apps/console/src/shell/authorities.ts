/** The authority to change and delete the reports of other users. docs/reference/resources/access.md#authorities. */
export const REPORTS_ADMIN = "REPORTS_ADMIN";
/** The authority to read the inventory. docs/reference/resources/access.md#authorities. */
export const REGISTRY_READ = "REGISTRY_READ";
/** The authority to manage webhooks. docs/reference/resources/access.md#authorities. */
export const WEBHOOKS_WRITE = "WEBHOOKS_WRITE";
