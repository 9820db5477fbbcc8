// @boundaries-ignore The whole repository shares one configuration.
export { default } from "../vitest.config.ts";
