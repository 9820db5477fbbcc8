export type CommandExample = readonly [words: string, effect: string];

/** Examples by the path of a command, such as `schedules create`. Every command has at least one. */
export const commandExamples: Readonly<Record<string, readonly CommandExample[]>> = {
  "": [
    ["types", "the report types"],
    ["run PROXY_DOMAIN --format xlsx --where severity=EXPIRED", "start, wait and save the file"],
    ["list --mine", "your newest reports"],
  ],
  types: [
    ["types", "all report types"],
    ["types PROXY_DOMAIN", "its formats, columns, codes and filters"],
  ],
  preview: [
    ["preview PROXY --where health=DOWN", "the first 20 rows"],
    ["preview PROXY --columns name,health --limit 100 --json", "100 rows with two columns"],
  ],
  estimate: [["estimate PROXY_DOMAIN --where severity=EXPIRED", "rows, size and time for each format"]],
  run: [
    ["run PROXY --format xlsx", "save the file in this folder"],
    ["run PROXY_DOMAIN --where severity=EXPIRED --where severity=CRITICAL", "either of two values"],
    ["run PROXY_DOMAIN --where 'certNotAfter=within 30 days' --format csv -o -", "write to standard output"],
  ],
  start: [["start PROXY --format csv", "print the id without waiting"]],
  status: [["status @last", "your newest report, one line per field"]],
  watch: [["watch @last --timeout 30m", "wait for half an hour at most"]],
  download: [
    ["download 7ca5b472", "by the last eight characters of its id, under its own name"],
    ["download @last -o proxies.csv", "save it under this name"],
  ],
  link: [["link 7ca5b472 --expires 10m", "anyone who has the link can download"]],
  cancel: [["cancel 7ca5b472", "stop a report that waits or runs"]],
  delete: [["delete 7ca5b472", "remove the report and its file"]],
  events: [["events 7ca5b472", "one line per event"]],
  files: [["files 7ca5b472", "one line per file"]],
  "add-file": [["add-file 7ca5b472 --format pdf", "the same rows as a pdf"]],
  list: [
    ["list --mine --status FAILED", "your failed reports"],
    ["list --type PROXY --limit all --json", "every report of a type, for a script"],
  ],
  webhooks: [["webhooks list", "all webhooks"]],
  "webhooks list": [["webhooks list --status PAUSED", "webhooks that send nothing"]],
  "webhooks create": [
    ["webhooks create https://example.com/hook --event report.succeeded", "print the secret"],
    ["webhooks create https://example.com/hook --event report.failed --type PROXY", "of one report type"],
  ],
  "webhooks get": [["webhooks get ffec6ea3", "with the reason if it is paused"]],
  "webhooks edit": [
    ["webhooks edit ffec6ea3 --url https://example.com/new", "another address"],
    ["webhooks edit ffec6ea3 --event report.failed --reset type", "one event, of all report types"],
  ],
  "webhooks test": [["webhooks test ffec6ea3", "send a test event"]],
  "webhooks deliveries": [["webhooks deliveries ffec6ea3 --status FAILED", "events that did not arrive"]],
  "webhooks redeliver": [["webhooks redeliver ffec6ea3 2e056ab9", "send an event again"]],
  "webhooks rotate": [["webhooks rotate ffec6ea3", "print another secret"]],
  "webhooks pause": [["webhooks pause ffec6ea3", "events wait"]],
  "webhooks resume": [["webhooks resume ffec6ea3", "send what waits"]],
  "webhooks delete": [["webhooks delete ffec6ea3", "send nothing more"]],
  schedules: [["schedules list", "all schedules"]],
  "schedules list": [["schedules list --limit all", "one line per schedule"]],
  "schedules get": [["schedules get c6d30b3b", "with its next times"]],
  "schedules create": [
    [
      "schedules create PROXY_DOMAIN --name Expiring --cron '0 6 * * 1' --zone Europe/Berlin --where 'certNotAfter=within 30 days'",
      "every Monday at 6:00 in Berlin",
    ],
  ],
  "schedules edit": [
    ["schedules edit c6d30b3b --cron '0 7 * * 1' --format pdf", "another time and format"],
    ["schedules edit c6d30b3b --reset where --where severity=EXPIRED", "this filter instead of all others"],
  ],
  "schedules pause": [["schedules pause c6d30b3b", "no runs until it is resumed"]],
  "schedules resume": [["schedules resume c6d30b3b", "run again at its times"]],
  "schedules run": [["schedules run c6d30b3b", "start its report now"]],
  "schedules fires": [["schedules fires c6d30b3b", "its runs, newest first"]],
  "schedules delete": [["schedules delete c6d30b3b", "its reports stay"]],
  login: [
    ["login https://reports.example.com", "ask for the token without showing it"],
    ["login https://reports.example.com --profile test < token.txt", "read it from a file, into another profile"],
  ],
  logout: [["logout --profile test", "forget this address and token"]],
  profiles: [["profiles", "names, addresses, and when tokens expire"]],
  completion: [["completion bash", "print the script; bash reads it with: source <(reports completion bash)"]],
};
