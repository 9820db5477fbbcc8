/** The version of this package, as its package.json says it (a test holds that): definitions say which one made them. */
export const coreVersion = "1.0.0";
