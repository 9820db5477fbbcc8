import type { z } from "zod";
import type { Secret } from "./secret.ts";
import { listText, oneOfText, postgresUrlsText } from "./text-schemas.ts";
import { defineEnvironment } from "./variable.ts";

const variablePrefix = "REPORT_SOURCE_";
const sourceNamePattern = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * Defines the variables of databases with report rows, in addition to the service's own database. The worker reads rows from these databases,
 * and the API reads the sizes of their tables. The first of `engines` is the default. The name `main` is reserved for the service's own
 * database.
 */
export function defineReportSourceVariables<const Engine extends string>(
  engines: readonly [Engine, ...Engine[]],
  main: string,
) {
  return defineEnvironment({
    reportSources: {
      name: "REPORT_SOURCES",
      schema: sourceNamesText(main),
      default: [],
      defaultText: "none",
      description: `Names of further databases that report types read, such as billing,edge; ${main} is the service's own. The same for API and worker.`,
      each: {
        prefix: variablePrefix,
        variables: {
          url: {
            name: "URL",
            schema: postgresUrlsText(),
            secret: true,
            description:
              "Connection URL of a source in REPORT_SOURCES; {NAME} is its name in capitals. It may list several hosts, separated by commas: the first that responds is used.",
          },
          engine: {
            name: "ENGINE",
            schema: oneOfText(engines),
            default: engines[0],
            description: `Engine of a source in REPORT_SOURCES; {NAME} is its name in capitals. One of ${engines.join(", ")}.`,
          },
        },
      },
    },
  });
}

/** Returns the configured databases with their URLs in plain text. The URLs contain passwords, so never log or save them. */
export function reportSourcesOf<Engine extends string>(configuration: {
  readonly reportSources: Readonly<Record<string, { readonly url: Secret; readonly engine: Engine }>>;
}): Readonly<Record<string, { readonly url: string; readonly engine: Engine }>> {
  return Object.fromEntries(
    Object.entries(configuration.reportSources).map(([name, { url, engine }]) => [name, { url: url.reveal(), engine }]),
  );
}

export function sourceUrlVariableName(name: string): string {
  return `${variablePrefix}${name.toUpperCase()}_URL`;
}

function sourceNamesText(main: string): z.ZodType<readonly string[], string> {
  return listText()
    .refine(
      (names) => names.every((name) => sourceNamePattern.test(name)),
      "must be names of a-z, 0-9 and _, each beginning with a letter",
    )
    .refine((names) => new Set(names).size === names.length, "must name each source once")
    .refine(
      (names) => !names.includes(main),
      `must not name ${main}: its address is REPORT_DATABASE_URL, or else DATABASE_URL`,
    );
}
