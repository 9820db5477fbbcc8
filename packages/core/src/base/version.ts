/** The version in package.json (a test compares them), stored with definitions. */
export const coreVersion = "1.0.0";
