/** The version in package.json, stored with definitions. Written by `pnpm generate versions`. */
export const coreVersion = "1.0.0";
