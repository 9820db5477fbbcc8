import { readFileSync } from "node:fs";
import {
  mainReportSource,
  reportSourceEngines,
  sourceNameOf,
  type ReportSourceEngine,
  type ReportSources,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { postgresUrlsText } from "@reports/runtime";
import { UsageError } from "@reports/type-loader/deployment";

const namedPattern = /^([a-z][a-z0-9_]{0,62})=(.*)$/s;
const urlSchema = postgresUrlsText();

interface SourceFlagsDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns why drivers would read the URL differently; null if they would not. The text completes a sentence and has no period. */
  readonly findUrlProblem: (url: string) => string | null;
}

/** Returns the URL and engine of each source that the types read. Throws UsageError; its message contains no URL. */
export function readSourceFlags(
  definitions: readonly ReportTypeDefinition[],
  { source, engine }: { readonly source: readonly string[]; readonly engine: readonly string[] },
  deps: SourceFlagsDeps,
): ReportSources {
  const needed = [...new Set(definitions.map(sourceNameOf).filter((name) => name !== null))];
  const urls = readNamed("--source", source, needed);
  const engines = readNamed("--engine", engine, needed);
  const missing = needed.filter((name) => !urls.has(name));
  if (missing.length > 0)
    throw new UsageError(
      `The report types read from ${missing.join(" and ")}. Name it: --source ${missing[0]}=env:VARIABLE.`,
    );
  return Object.fromEntries(
    needed.map((name) => [name, { url: readUrl(urls.get(name)!, deps), engine: readEngine(engines.get(name)) }]),
  );
}

/** Reports whether a value of `--source` contains a password, which all users of the machine could see in the list of processes. */
export function containsPassword(source: string): boolean {
  return /^[a-z]+:\/\/[^/?#:]*:[^/?#@]*@/i.test(namedPattern.exec(source)?.[2] ?? source);
}

/** Maps names of sources to values of the form `[NAME=]VALUE`. The name may be missing if the types read only one source. */
function readNamed(flag: string, given: readonly string[], needed: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const each of given) {
    const [, name, value] = namedPattern.exec(each) ?? [null, needed[0] ?? mainReportSource, each];
    if (value === each && needed.length > 1)
      throw new UsageError(
        `The report types read from ${needed.join(" and ")}. Say which one ${flag} is: ${flag} ${needed[0]}=….`,
      );
    if (value !== each && !needed.includes(name))
      throw new UsageError(
        `${flag}: no report type reads from ${name}. They read from ${needed.join(" and ") || "no database"}.`,
      );
    if (values.has(name)) throw new UsageError(`${flag} is given twice for ${name}.`);
    values.set(name, value);
  }
  return values;
}

function readUrl(value: string, { environment, findUrlProblem }: SourceFlagsDeps): string {
  const [, kind, place = ""] = /^(env|file):(.*)$/s.exec(value) ?? [];
  const url = kind === undefined ? value : kind === "env" ? readVariable(place, environment) : readFile(place);
  const subject = kind === undefined ? "--source" : `--source ${kind}:${place}`;
  const parsed = urlSchema.safeParse(url);
  if (!parsed.success) throw new UsageError(`${subject} ${parsed.error.issues[0]!.message}.`);
  const problem = findUrlProblem(url);
  if (problem !== null) throw new UsageError(`${subject} ${problem}.`);
  return url;
}

function readVariable(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const value = environment[name] ?? "";
  if (value === "") throw new UsageError(`--source env:${name}: the variable ${name} is not set.`);
  return value;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new UsageError(`--source file:${path}: the file cannot be read (${reason}).`);
  }
}

function readEngine(value: string = reportSourceEngines[0]): ReportSourceEngine {
  const engine = reportSourceEngines.find((each) => each === value);
  if (engine === undefined) throw new UsageError(`--engine must be one of ${reportSourceEngines.join(", ")}.`);
  return engine;
}
