/**
 * Version of this package, copied from package.json by `pnpm generate versions`. The service refuses a package of report types that was made with
 * another major version.
 */
export const coreVersion = "1.0.0";
