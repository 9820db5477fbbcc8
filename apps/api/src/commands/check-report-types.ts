import { runReportTypesCheck } from "@reports/type-loader/deployment";

const help = `Usage: node dist/commands/check-report-types.js MODULE...

Loads packages of report types as the API does at its start, and prints their types with version, authority and formats. The worker's
command of this name makes reports of them as well. It needs no database. REPORT_TYPES_DIR, BUILT_IN_REPORT_TYPES and
REPORT_TYPES_ENV_PREFIX mean what they mean to the API; its other variables are not read.

Exit codes: 0 they can be loaded, 2 wrong usage, 78 a module cannot be loaded: the API would not start with it.
`;

process.exitCode = await runReportTypesCheck({
  help,
  async check(types) {
    for (const { definition, authority } of types) {
      const formats = Object.keys(definition.formats).join(", ");
      process.stdout.write(`${definition.type} (version ${definition.version}), authority ${authority}, ${formats}\n`);
    }
    return 0;
  },
});
