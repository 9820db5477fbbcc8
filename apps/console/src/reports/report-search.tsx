import { useId, useState } from "preact/hooks";
import { useDebounced } from "../parts/use-debounced.ts";
import { buildHref, changeQuery, navigate } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findIdByEnd, minTitleLength, readWanted, searchedReports } from "./find-report.ts";

/** The longest title. A link to a report can be longer than an id, but not longer than this. */
const maxSearchLength = 200;

/** The search box of the list: a part of a title, or an id or its end, which opens the report. */
export function ReportSearch({ query }: { readonly query: URLSearchParams }) {
  const id = useId();
  const given = query.get("q") ?? "";
  const [text, setText] = useState(given);
  const wanted = readWanted(text);
  // A text of the URL fragment is not looked up. Otherwise, going back from the report would open it again.
  const [typedEnd, setTypedEnd] = useState("");
  const end = useDebounced(typedEnd);
  const found = useQuery(`report that ends with ${end}`, async (gateway, options) => {
    const reportId = end === "" ? null : await findIdByEnd(gateway, end, options);
    if (reportId !== null) navigate(buildHref(`reports/${reportId}`));
    return { reportId };
  });
  const isUnknown = end !== "" && typedEnd === end && found.value?.reportId === null;
  const hint =
    wanted.kind === "short"
      ? `Type ${minTitleLength} characters or more.`
      : isUnknown
        ? `No single report of the newest ${searchedReports} has an id that ends with ${end}.`
        : "";
  return (
    <div class="field find">
      <label for={id}>Find</label>
      <input
        id={id}
        name="q"
        type="search"
        value={text}
        maxLength={maxSearchLength}
        placeholder="Title or report id"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => {
          const next = currentTarget.value;
          setText(next);
          const read = readWanted(next);
          setTypedEnd(read.kind === "idEnd" ? read.end : "");
          if (read.kind === "id") navigate(buildHref(`reports/${read.id}`));
          else changeQuery({ q: next.trim() === "" ? [] : [next], rows: [], before: [] });
        }}
      />
      <p class="hint" id={`${id}-hint`} role="status">
        {hint}
      </p>
    </div>
  );
}
