/** Writes dates the way a locale does, out of the text of the wire form. */
export interface DateFormat {
  /** `2026-02-28` → `28 Feb 2026`. Text that is not a date of the years 1 to 9999 (`infinity`) is given back. */
  date(text: string): string;
  /** A time of day, `13:14:15`, as the locale counts hours. */
  time(text: string): string;
  /** What stands between a date and a time. */
  readonly between: string;
}

/** Dates that one report shows are few. */
const maxKnown = 4_000;

/**
 * Reads a locale's conventions from Intl, in the Gregorian calendar. English without a country is British: `02/03/2026` would be read two
 * ways.
 */
export function createDateFormat(locale: string): DateFormat {
  const tag = locale === "en" ? "en-GB" : locale;
  const common = { timeZone: "UTC", calendar: "gregory" } as const;
  const day = new Intl.DateTimeFormat(tag, { ...common, dateStyle: "medium" });
  const clock = new Intl.DateTimeFormat(tag, { ...common, hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const both = new Intl.DateTimeFormat(tag, { ...common, dateStyle: "medium", timeStyle: "medium" }).formatToParts(0);
  const hour = both.findIndex(({ type }) => type === "hour");
  const isPlainTime = clock.format(new Date(Date.UTC(2026, 0, 1, 13, 14, 15))) === "13:14:15";
  const dates = known((text) => {
    const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    return Number.isNaN(at) ? text : day.format(at);
  });
  const times = known((text) => {
    const at = Date.parse(`2026-01-01T${text}Z`);
    return Number.isNaN(at) ? text : clock.format(at);
  });
  const between = both[hour - 1]?.type === "literal" ? both[hour - 1]!.value : " ";
  return { date: dates, time: isPlainTime ? (text) => text : times, between };
}

/** Keeps what was written before, because Intl is too slow to be asked for every cell. */
function known(write: (text: string) => string): (text: string) => string {
  const written = new Map<string, string>();
  return (text) => {
    let shown = written.get(text);
    if (shown === undefined) {
      shown = write(text);
      if (written.size >= maxKnown) written.clear();
      written.set(text, shown);
    }
    return shown;
  };
}
