import { trials, type Trial } from "./trials.ts";

export interface NamedCommand {
  /** Path below the root of the repository. */
  readonly module: string;
  /** One sentence for the list of commands: the purpose of the command, or the fact that a trial proves. */
  readonly about: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Set if the command is a trial. run-by-name.ts handles the arguments and `--help` of trials. Other commands handle their own. */
  readonly trial?: Trial;
}

type NamedCommands = Readonly<Record<string, NamedCommand>>;

const vitest = "node_modules/vitest/vitest.mjs";

/** The commands of the images (`bin` of the API and the worker), run from the sources. */
const operate: NamedCommands = {
  migrate: {
    module: "packages/db/src/commands/migrate.ts",
    about: "Brings the database to the schema of this version.",
  },
  "database-roles": {
    module: "packages/db/src/commands/create-roles.ts",
    about: "Grants the roles of the API and the worker their rights, after every migration.",
  },
  users: {
    module: "packages/commands/src/users.ts",
    about: "Creates, lists, changes and disables users with passwords.",
  },
  "load-inventory": {
    module: "packages/commands/src/load-inventory.ts",
    about: "Adds proxies and domains from CSV files.",
  },
  "check-report-types": {
    module: "apps/worker/src/commands/check-report-types.ts",
    about: "Loads packages of report types, and makes reports of generated rows. With --source, checks their data.",
  },
  reconcile: {
    module: "apps/worker/src/commands/reconcile.ts",
    about: "Compares the files of the store with the records.",
  },
  "store-marker": {
    module: "apps/worker/src/commands/store-marker.ts",
    about: "Shows which store belongs to the database, or adopts another.",
  },
};

const generatingTests = {
  "configuration-table": ["docs/reference/configuration.md", "scripts/test/configuration-table.test.ts"],
  "reference-tables": ["the tables of docs/reference", "apps/api/src/openapi/reference-tables.test.ts"],
  "metric-table": ["docs/reference/metrics.md", "scripts/test/alerts.test.ts"],
  dashboard: ["deploy/chart/files/dashboard.json", "scripts/test/dashboard.test.ts"],
  "log-table": ["docs/reference/logs.md", "scripts/test/log-table.test.ts"],
  "client-enumerations": ["packages/client/src/wire/generated", "packages/client/src/wire/generated.test.ts"],
  versions: [
    "the version of package.json into every package, the chart and the Dockerfiles",
    "scripts/test/version.test.ts",
  ],
  "chart-readme": ["deploy/chart/README.md", "scripts/test/chart-files.test.ts"],
  "chart-variables": ["deploy/chart/files/variables.yaml", "scripts/test/chart-files.test.ts"],
  "chart-paths": ["deploy/chart/files/public-paths.txt", "apps/api/src/routes/paths.test.ts"],
  "role-grants": ["packages/db/migrations/roles.sql", "packages/db/src/migrations/role-grants.test.ts"],
  "prose-counts": ["scripts/test/prose-counts.json", "scripts/test/prose.test.ts"],
  "pattern-table": ["apps/api/src/security/safe-patterns.json", "apps/api/src/security/patterns.test.ts"],
} as const;

const generate: NamedCommands = {
  all: generatingWith(
    "Writes all of the files below.",
    ...new Set(Object.values(generatingTests).map(([, test]) => test)),
  ),
  ...Object.fromEntries(
    Object.entries(generatingTests).map(([name, [file, test]]) => [name, generatingWith(`Writes ${file}.`, test)]),
  ),
};

function generatingWith(about: string, ...tests: readonly string[]): NamedCommand {
  return {
    about,
    module: vitest,
    args: ["run", "--update=all", ...tests],
    environment: { PATTERN_TABLE: "write" },
  };
}

const trialCommands: NamedCommands = Object.fromEntries(
  Object.entries(trials).map(([name, trial]) => [
    name,
    trial.test === undefined
      ? { module: `scripts/commands/${name}.ts`, about: trial.shows, trial }
      : {
          module: vitest,
          about: trial.shows,
          args: ["run", "--project", "scripts", trial.test],
          environment: { TEST_DEPLOYED: "1" },
          trial,
        },
  ]),
);

export const commandGroups: Readonly<
  Record<string, { readonly about: string; readonly commands: NamedCommands; readonly byDefault?: string }>
> = {
  operate: {
    about: "Runs a command of the images from the sources. Each explains itself: pnpm operate NAME --help.",
    commands: operate,
  },
  generate: {
    about: "Writes files that are generated from the sources. A test compares each of them.",
    commands: generate,
    byDefault: "all",
  },
  try: {
    about:
      "Runs a trial: a check that `npm test` leaves to `.ci/run`, because it takes minutes or needs more programs. NAME --help explains it.",
    commands: trialCommands,
  },
};
