/** The authority to see, change and delete the reports of other users. docs/reference/resources/access.md#authorities. */
export const REPORTS_ADMIN = "REPORTS_ADMIN";
export const REGISTRY_READ = "REGISTRY_READ";
export const WEBHOOKS_WRITE = "WEBHOOKS_WRITE";
