/** Changing and deleting the reports of others. docs/contract.md §7.3. */
export const REPORTS_ADMIN = "REPORTS_ADMIN";
/** Reading the register. docs/contract.md §7.3. */
export const REGISTRY_READ = "REGISTRY_READ";
/** Having webhooks. docs/contract.md §7.3. */
export const WEBHOOKS_WRITE = "WEBHOOKS_WRITE";
