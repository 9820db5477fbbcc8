/** A command line without the name of the program, and its effect. */
export type Example = readonly [words: string, effect: string];

/** Examples by the names of a command. Every command has at least one. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  "": [
    ["types", "what can be asked for"],
    ["run PROXY_DOMAIN --format xlsx --where severity=EXPIRED", "start, wait and save the file"],
    ["list --mine", "your newest reports"],
  ],
  types: [
    ["types", "all report types"],
    ["types PROXY_DOMAIN", "its formats, columns and filters"],
  ],
  preview: [
    ["preview PROXY --where health=DOWN", "the first 20 rows"],
    ["preview PROXY --columns name,health --limit 100 --json", "100 rows with two columns"],
  ],
  estimate: [["estimate PROXY_DOMAIN --where severity=EXPIRED", "rows, size and time for each format"]],
  run: [
    ["run PROXY --format xlsx", "save the file in this folder"],
    ["run PROXY_DOMAIN --where severity=EXPIRED --where severity=CRITICAL", "either of two values"],
    ["run PROXY_DOMAIN --where certNotAfterTo=now+P30D --format csv -o -", "write to standard output"],
  ],
  start: [["start PROXY --format csv", "print the id without waiting"]],
  status: [["status 01970000-0000-7000-8000-000000000001", "one line per field"]],
  watch: [["watch 01970000-0000-7000-8000-000000000001 --timeout 30m", "wait for half an hour at most"]],
  download: [
    ["download 01970000-0000-7000-8000-000000000001", "save the file under its own name"],
    ["download 01970000-0000-7000-8000-000000000001 -o proxies.csv", "save it under this name"],
  ],
  link: [["link 01970000-0000-7000-8000-000000000001 --expires 10m", "anyone who has the link can download"]],
  cancel: [["cancel 01970000-0000-7000-8000-000000000001", "stop a report that waits or runs"]],
  delete: [["delete 01970000-0000-7000-8000-000000000001", "remove the report and its file"]],
  events: [["events 01970000-0000-7000-8000-000000000001", "one line per event"]],
  files: [["files 01970000-0000-7000-8000-000000000001", "one line per file"]],
  "add-file": [["add-file 01970000-0000-7000-8000-000000000001 --format pdf", "the same rows as a pdf"]],
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
  "webhooks test": [["webhooks test 01970000-0000-7000-8000-000000000003", "send a test event"]],
  "webhooks deliveries": [
    ["webhooks deliveries 01970000-0000-7000-8000-000000000003 --status FAILED", "what did not arrive"],
  ],
  "webhooks redeliver": [
    [
      "webhooks redeliver 01970000-0000-7000-8000-000000000003 01970000-0000-7000-8000-000000000004",
      "send an event again",
    ],
  ],
  "webhooks rotate": [["webhooks rotate 01970000-0000-7000-8000-000000000003", "print another secret"]],
  "webhooks pause": [["webhooks pause 01970000-0000-7000-8000-000000000003", "events wait"]],
  "webhooks resume": [["webhooks resume 01970000-0000-7000-8000-000000000003", "send what waits"]],
  "webhooks delete": [["webhooks delete 01970000-0000-7000-8000-000000000003", "send nothing more"]],
  schedules: [["schedules list", "all schedules"]],
  "schedules list": [["schedules list --limit all", "one line per schedule"]],
  "schedules get": [["schedules get 01970000-0000-7000-8000-000000000005", "with its next times"]],
  "schedules create": [
    [
      "schedules create PROXY_DOMAIN --name Expiring --cron '0 6 * * 1' --zone Europe/Berlin --where certNotAfterTo=now+P30D",
      "every Monday at 6:00 in Berlin",
    ],
  ],
  "schedules pause": [["schedules pause 01970000-0000-7000-8000-000000000005", "no runs until it is resumed"]],
  "schedules resume": [["schedules resume 01970000-0000-7000-8000-000000000005", "run again at its times"]],
  "schedules run": [["schedules run 01970000-0000-7000-8000-000000000005", "start its report now"]],
  "schedules fires": [["schedules fires 01970000-0000-7000-8000-000000000005", "its runs, newest first"]],
  "schedules delete": [["schedules delete 01970000-0000-7000-8000-000000000005", "its reports stay"]],
  completion: [["completion bash", "print the script; bash reads it with: source <(reports completion bash)"]],
};
