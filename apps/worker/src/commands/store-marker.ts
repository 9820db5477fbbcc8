import { parseArgs } from "node:util";
import {
  deploymentVariableRules,
  deploymentVariables,
  fileStoreSettingsOf,
  newId,
  readEnvironment,
} from "@reports/runtime";
import {
  adoptStore,
  createFileStore,
  compareStoreIds,
  type StoreAdoptionDeps,
  type StoreAdoptionOutcome,
} from "@reports/storage";
import { printErrorWithExitCode, formatErrorWithCauses, printTextWithExitCode } from "./command-line.ts";

const helpText = `Usage: store-marker show
       store-marker adopt [--force]

The file store and its database hold the same id, by which they recognise each other. These commands take the environment of API and worker
(DATABASE_URL, STORAGE_DIR or MINIO_…, STORAGE_PREFIX), with the database user that owns the tables.

  show   prints both ids, and how many of the files that the latest records name are in the store; changes nothing
  adopt  makes this store the one of this database, with a new id; the previous store no longer belongs to it.
         Refuses a store that belongs to another database, and one that has none of the files that the records name
  --force  adopts such a store all the same: the other database loses it, and files that the records name stay missing

Exit codes: 0 they belong together, 1 they do not, or it failed, 2 wrong usage or configuration.
`;

async function main(): Promise<number> {
  let work: (deps: StoreAdoptionDeps) => Promise<number>;
  let choice: ReturnType<typeof fileStoreSettingsOf>;
  let databaseUrl: string;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, force: { type: "boolean", default: false } },
    });
    if (values.help) return printTextWithExitCode(helpText, 0);
    const [command, ...more] = positionals;
    if (more.length > 0 || (command !== "show" && command !== "adopt")) return printErrorWithExitCode(helpText, 2);
    if (command === "show" && values.force) return printErrorWithExitCode(`show takes no --force.\n\n${helpText}`, 2);
    work =
      command === "show"
        ? printStoreIds
        : async (deps) => printOutcome(await adoptStore(deps, { force: values.force }));
    const configuration = readEnvironment(deploymentVariables, process.env, deploymentVariableRules);
    choice = fileStoreSettingsOf(configuration);
    databaseUrl = configuration.databaseUrl.reveal();
  } catch (error) {
    return printErrorWithExitCode(formatErrorWithCauses(error), 2);
  }
  // Loaded late, because this module is slow to load, and neither help nor a wrong argument needs it.
  const { createDatabase, createStoreIdRepository } = await import("@reports/db");
  const database = createDatabase({ url: databaseUrl, max: 2, applicationName: "reports-store-marker" });
  try {
    return await work({ store: await createFileStore(choice), record: createStoreIdRepository(database), newId });
  } catch (error) {
    return printErrorWithExitCode(`It failed: ${formatErrorWithCauses(error)}`, 1);
  } finally {
    await database.close();
  }
}

async function printStoreIds(deps: StoreAdoptionDeps): Promise<number> {
  const { database, store, sampled, found } = await compareStoreIds(deps);
  const belongs = database !== null && database.id === store;
  const lines = [
    `database: ${database === null ? "no store was adopted" : `${database.id}${database.adopted ? "" : " (adoption not finished)"}`}`,
    `store:    ${store ?? "no marker"}`,
    sampled === 0
      ? "No record names a file."
      : `This store holds ${found} of the ${sampled} files that the latest records name.`,
    belongs ? "They belong together." : "They do not belong together.",
  ];
  return printTextWithExitCode(`${lines.join("\n")}\n`, belongs ? 0 : 1);
}

function printOutcome(outcome: StoreAdoptionOutcome): number {
  switch (outcome.kind) {
    case "adopted":
      return printTextWithExitCode("The database has adopted this store. Workers resume within seconds.\n", 0);
    case "known":
      return printTextWithExitCode("The database had already adopted this store; nothing was changed.\n", 0);
    case "overtaken":
      return printErrorWithExitCode(
        "The database adopted another store in the meantime; nothing was changed. Run show to see which.",
        1,
      );
    case "foreign":
      return printErrorWithExitCode(
        "This store belongs to another database; nothing was changed. Check STORAGE_DIR, MINIO_BUCKET, STORAGE_PREFIX and DATABASE_URL. If the other database is gone for good, use --force.",
        1,
      );
    case "no-files":
      return printErrorWithExitCode(
        `None of the ${outcome.sampled} files that the latest records name is in this store; nothing was changed. Check STORAGE_DIR, MINIO_BUCKET and STORAGE_PREFIX. If the files are lost for good, use --force.`,
        1,
      );
  }
}

process.exitCode = await main();
