/** Version in package.json, copied by `pnpm generate versions`. The service refuses report types that were made with another major version. */
export const coreVersion = "1.0.0";
