import { useId, useState } from "preact/hooks";
import { FieldError } from "../parts/fields.tsx";
import type { TimeRangeFilter } from "../parts/filters.ts";
import {
  isSameTimeRange,
  readTimeRangeEnd,
  listTimeRangeChoices,
  formatTimeRangeEnd,
  type TimeRangeEndName,
} from "../parts/list-time-range-choices.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { toFilterParameter } from "./draft.ts";

interface FieldProps {
  readonly filter: TimeRangeFilter;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
  readonly timezone: string;
}

/** Changes of the URL parameters that return a list to its first page. They are applied together with each change of a filter. */
const firstPage = { rows: [], before: [] };

export function TimeRangeField(props: FieldProps) {
  const { filter, query } = props;
  const id = useId();
  const [from, to] = [query.get(toFilterParameter(filter.from)), query.get(toFilterParameter(filter.to))];
  const range = { ...(from && { from }), ...(to && { to }) };
  const [isBetween, setBetween] = useState(false);
  const choices = listTimeRangeChoices(filter.expires);
  const isAny = !from && !to;
  const chosen = isBetween ? undefined : choices.find((choice) => isSameTimeRange(choice.range, range));
  const showsTimes = isBetween || (!isAny && chosen === undefined);
  const option = (label: string, isChecked: boolean, choose: () => void) => (
    <label key={label} class="chip">
      <input type="radio" name={id} checked={isChecked} onChange={choose} />
      {label}
    </label>
  );
  const set = (next: { readonly from?: string; readonly to?: string }): void => {
    setBetween(false);
    changeRouteQuery({
      [toFilterParameter(filter.from)]: [next.from ?? []].flat(),
      [toFilterParameter(filter.to)]: [next.to ?? []].flat(),
      ...firstPage,
    });
  };
  return (
    <div class="any-of" role="radiogroup" aria-labelledby={id}>
      <span class="label" id={id}>
        {filter.label}
      </span>
      <div class="chips">
        {option("Any time", isAny && !isBetween, () => set({}))}
        {choices.map(({ label, range: each }) => option(label, chosen?.label === label, () => set(each)))}
        {option("Between two dates", showsTimes, () => setBetween(true))}
      </div>
      {showsTimes && (
        <div class="between">
          <TimeField {...props} end="from" />
          <TimeField {...props} end="to" />
          <p class="hint">31.01.2026, in 30 days or today. Days begin in {props.timezone}.</p>
        </div>
      )}
    </div>
  );
}

function TimeField({ filter, query, errors, timezone, end }: FieldProps & { readonly end: TimeRangeEndName }) {
  const id = useId();
  const name = toFilterParameter(end === "from" ? filter.from : filter.to);
  const value = query.get(name) ?? "";
  const options = { ...filter, timezone };
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string } | null>(null);
  // The typed text is shown only while the URL fragment holds the time that was read from it. A button for a range replaces that time.
  const text = typed?.value === value ? typed.text : value === "" ? "" : formatTimeRangeEnd(value, end, options);
  const refused = errors.get(name);
  const error = refused === undefined ? undefined : (readTimeRangeEnd(value, end, options).wrong ?? refused);
  return (
    <div class="field">
      <label for={id}>
        <span class="unseen">{filter.label}, </span>
        {end === "from" ? "from" : "to and including"}
      </label>
      <input
        id={id}
        name={name}
        value={text}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-wrong`}
        onInput={({ currentTarget }) => {
          const given = currentTarget.value;
          const next = given.trim() === "" ? "" : (readTimeRangeEnd(given, end, options).value ?? given);
          setTyped({ text: given, value: next });
          changeRouteQuery({ [name]: next === "" ? [] : [next], ...firstPage });
        }}
      />
      <FieldError id={id} text={error} />
    </div>
  );
}
