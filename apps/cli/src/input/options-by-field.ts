import { flagNameOf, type FieldFacts } from "@reports/client";
import { InvalidArgumentError, Option } from "commander";
import { formatSeconds, parseDurationMs } from "./duration.ts";

export type OptionsByField<Name extends string> = Readonly<Record<Name, Option>>;

/** Texts and names, by field, of the flags whose text or name differs from that of the field. */
interface FlagExceptions<Name extends string> {
  readonly texts?: Partial<Readonly<Record<Name, string>>>;
  readonly names?: Partial<Readonly<Record<Name, string>>>;
  /** Whether commander refuses values that this version does not know. If false, the gateway decides. */
  readonly refusesOthers?: boolean;
  /** Whether the flags change a record. None of them is then mandatory. */
  readonly isPatch?: boolean;
}

export function createOptionsByField<Name extends string>(
  fields: Readonly<Record<Name, FieldFacts>>,
  about: Readonly<Record<NoInfer<Name>, string>>,
  { texts = {}, names = {}, refusesOthers = false, isPatch = false }: FlagExceptions<NoInfer<Name>> = {},
): OptionsByField<Name> {
  const flags = (Object.entries(fields) as [Name, FieldFacts][]).map(([field, facts]) => {
    const text = texts[field] ?? helpTextOf(about[field]);
    const { kind, values = [] } = facts;
    const isOpen = kind === "choice" && !refusesOthers;
    const flag = toFlag(field, names[field] ?? flagNameOf(field), isOpen ? `${orList(values)}: ${text}` : text, facts);
    flag.makeOptionMandatory(facts.isRequired === true && !isPatch);
    return [field, kind === "choice" && refusesOthers ? flag.choices(values) : flag] as const;
  });
  return Object.fromEntries(flags) as OptionsByField<Name>;
}

export function toFieldValues(flags: OptionsByField<string>, given: object): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.fromEntries(
    Object.entries(flags).flatMap(([field, flag]) => {
      const value = values.get(flag.attributeName());
      // commander sets the value of a --no- flag to true if the flag is not given.
      return value === undefined || (value === true && flag.negate) ? [] : [[field, value] as const];
    }),
  );
}

export function toFlagNamesByField(flags: OptionsByField<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(flags).map(([field, { long }]) => [field, long ?? ""]));
}

function toFlag(field: string, flag: string, text: string, facts: FieldFacts): Option {
  const { kind, byDefault } = facts;
  switch (kind) {
    case "text":
    case "time":
      return new Option(`--${flag} <${kind}>`, text);
    case "choice":
      return new Option(`--${flag} <${flag}>`, text);
    case "integer": {
      if (!field.endsWith("Seconds")) return new Option(`--${flag} <number>`, text).argParser(Number);
      const most = typeof byDefault === "number" ? `; ${formatSeconds(byDefault)} by default` : "";
      return new Option(`--${flag} <time>`, `${text}${most}`).argParser((given) =>
        Math.floor(parseDurationMs(given) / 1000),
      );
    }
    case "list":
      return new Option(`--${flag} <keys>`, `${text} (separated by commas)`).argParser(splitList);
    case "flag":
      if (byDefault === undefined)
        return new Option(`--${flag} <yes|no>`, text).choices(["yes", "no"]).argParser(parseYesOrNo);
      return new Option(byDefault === true ? `--no-${flag}` : `--${flag}`, text);
  }
}

/** Returns the first sentence of a text without its period. It begins in lower case unless its first word is an abbreviation. */
function helpTextOf(about: string): string {
  const [first = ""] = about.split(/\.(?: |$)/);
  return first.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

/** Every start of a command makes these lists, so they do not use the slower `Intl.ListFormat`. */
function orList(values: readonly string[]): string {
  return values.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** Parses yes or no. commander's own check of choices is replaced by this function, but help and completion still show the choices. */
function parseYesOrNo(text: string): boolean {
  if (text !== "yes" && text !== "no") throw new InvalidArgumentError("Allowed choices are yes, no.");
  return text === "yes";
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((key) => key.trim());
}
