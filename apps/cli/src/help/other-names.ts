/** Our names of commands by the names that other programs use, such as gh, stripe and kubectl. The first that exists is suggested. */
export const commandSuggestions: ReadonlyMap<string, readonly string[]> = toMap({
  add: ["create", "start"],
  auth: ["login"],
  config: ["profiles"],
  context: ["profiles"],
  contexts: ["profiles"],
  create: ["start"],
  describe: ["get", "status"],
  disable: ["pause"],
  enable: ["resume"],
  export: ["run"],
  generate: ["run"],
  get: ["status"],
  history: ["fires", "deliveries", "events"],
  info: ["get", "status"],
  logs: ["fires", "deliveries", "events"],
  new: ["create", "start"],
  remove: ["delete"],
  rm: ["delete"],
  runs: ["fires"],
  show: ["get", "status"],
  stop: ["pause", "cancel"],
  trigger: ["run", "test"],
  update: ["edit"],
  view: ["get", "status"],
  wait: ["watch"],
  whoami: ["profiles"],
});

/** Our names of flags by the names that other programs use. The first that the command has is suggested. */
export const flagSuggestions: ReadonlyMap<string, readonly string[]> = toMap({
  "--context": ["--profile"],
  "--count": ["--limit"],
  "--file": ["--output"],
  "--filter": ["--where"],
  "--out": ["--output"],
  "--order-by": ["--sort"],
  "--output-file": ["--output"],
  "--project-name": ["--profile"],
  "--sort-by": ["--sort"],
  "--state": ["--status"],
  "--version": ["--version"],
  "--wait-timeout": ["--timeout"],
  "-L": ["--limit"],
  "-f": ["--format"],
  "-l": ["--limit"],
  "-n": ["--limit"],
  "-p": ["--profile"],
  "-v": ["--version"],
});

const jsonText = "For JSON, use --json. Only run, download and add-file have -o, which names a file.";
const confirmText = "The command asks for no confirmation, so that this flag does not exist.";
const watchText = "`run` waits for a new report, and `watch` for one that was started.";
const fieldsText = "To choose fields, use --json and another program, such as jq.";
const coloursText = "The output never has colours.";
const headingsText = "Only a terminal gets headings, unless --headings is set.";
const addressText = "The address comes from REPORTS_URL or from the profile of `login`.";
const secretText = "Credentials come from the environment or from `login`, because other users can read command lines.";

/** Says, for each flag that other programs have and this one lacks, what to do instead. */
export const foreignFlagHints: ReadonlyMap<string, string> = toMap({
  "--all": "If the command has --limit, use --limit all.",
  "--color": coloursText,
  "--confirm": confirmText,
  "--fields": fieldsText,
  "--force": confirmText,
  "--host": addressText,
  "--jq": fieldsText,
  "--no-color": coloursText,
  "--no-headers": headingsText,
  "--no-headings": headingsText,
  "--output": jsonText,
  "--password": secretText,
  "--server": addressText,
  "--template": fieldsText,
  "--token": secretText,
  "--url": addressText,
  "--user": secretText,
  "--wait": watchText,
  "--watch": watchText,
  "--yes": confirmText,
  "-o": jsonText,
  "-w": watchText,
  "-y": confirmText,
});

/** A person's words are looked up in a Map, because an object would also find inherited names such as `constructor`. */
function toMap<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values));
}
