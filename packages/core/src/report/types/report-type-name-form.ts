import type { TextForm } from "../../query/filters.ts";

const typeNamePattern = /^(?=.{1,63}$)[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

export const reportTypeNameForm: TextForm = {
  normalise: (text) => (typeNamePattern.test(text) ? text : null),
  rule: "the name of a report type in UPPER_SNAKE, such as PROXY_DOMAIN",
};
