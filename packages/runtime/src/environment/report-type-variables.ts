import { z } from "zod";
import type { EnvironmentRule } from "./read-environment.ts";
import { booleanText, listText } from "./text-schemas.ts";
import { defineEnvironment, type ConfigurationOf, type EnvironmentSpec } from "./variable.ts";

export const reportTypeVariables = defineEnvironment({
  reportTypes: {
    name: "REPORT_TYPES",
    schema: listText(),
    default: [],
    defaultText: "none",
    description:
      "Packages whose report types are served, such as acme-reports,@acme/billing/reports: names of installed modules, separated by commas. The same for API and worker.",
  },
  reportTypesDirectory: {
    name: "REPORT_TYPES_DIR",
    schema: z.string(),
    optional: true,
    defaultText: "the working directory",
    description: "Folder from which the names in REPORT_TYPES are resolved: the packages are in its node_modules.",
  },
  builtInReportTypes: {
    name: "BUILT_IN_REPORT_TYPES",
    schema: booleanText(),
    default: true,
    description: "Whether PROXY and PROXY_DOMAIN are served; false needs REPORT_TYPES. The same for API and worker.",
  },
  reportTypesEnvironmentPrefix: {
    name: "REPORT_TYPES_ENV_PREFIX",
    schema: z.string().regex(/^[A-Z][A-Z0-9_]*_$/, "must be upper-case letters, digits and _, with _ at its end"),
    default: "TYPES_",
    description:
      "Beginning of the names of variables that functions of report types see. They also see PATH, TZ, LANG and Node's variables of trusted authorities, and no others.",
  },
});

/** Returns the rules for variables of report types. One of them ensures that functions of report types see none of the secrets in `spec`. */
export function reportTypeVariableRules(spec: EnvironmentSpec): readonly EnvironmentRule<typeof reportTypeVariables>[] {
  const secrets = Object.values(spec).flatMap(({ name, secret }) => (secret === true ? [name] : []));
  return [
    ({ values, isSet, nameOf }) =>
      values.builtInReportTypes === false && !isSet("reportTypes")
        ? { variable: nameOf("reportTypes"), message: "must be set too, because BUILT_IN_REPORT_TYPES is false" }
        : null,
    ({ values: { reportTypesEnvironmentPrefix: prefix }, nameOf }) => {
      const shown = secrets.filter((name) => prefix !== undefined && name.startsWith(prefix));
      if (shown.length === 0) return null;
      const message = `must not be the beginning of a secret's name: ${shown.join(", ")}`;
      return { variable: nameOf("reportTypesEnvironmentPrefix"), message };
    },
  ];
}

export function reportTypeChoiceOf(configuration: ConfigurationOf<typeof reportTypeVariables>): {
  readonly modules: readonly string[];
  readonly directory: string;
  readonly builtIn: boolean;
} {
  return {
    modules: configuration.reportTypes,
    directory: configuration.reportTypesDirectory ?? process.cwd(),
    builtIn: configuration.builtInReportTypes,
  };
}
