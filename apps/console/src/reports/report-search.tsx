import { useId, useState } from "preact/hooks";
import { useDebouncedText } from "../parts/use-debounced-text.ts";
import { buildHref, changeRouteQuery, navigate } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findReportIdByIdEnding, minSearchedTitleLength, parseSearchText, maxSearchedReports } from "./find-report.ts";

/** The longest title. A link to a report, which the search box also accepts, is shorter. */
const maxSearchLength = 200;

export function ReportSearch({ query }: { readonly query: URLSearchParams }) {
  const id = useId();
  const given = query.get("q") ?? "";
  const [text, setText] = useState(given);
  const wanted = parseSearchText(text);
  // Only a typed text is looked up. If the console also looked up the text of the URL, going back from the found report would open it again.
  const [typedEnd, setTypedEnd] = useState("");
  const end = useDebouncedText(typedEnd);
  const found = useQuery(`report that ends with ${end}`, async (gateway, options) => {
    const reportId = end === "" ? null : await findReportIdByIdEnding(gateway, end, options);
    if (reportId !== null) navigate(buildHref(`reports/${reportId}`));
    return { reportId };
  });
  const isUnknown = end !== "" && typedEnd === end && found.value?.reportId === null;
  const hint =
    wanted.kind === "short"
      ? `Type ${minSearchedTitleLength} characters or more.`
      : isUnknown
        ? `No single report of the newest ${maxSearchedReports} has an id that ends with ${end}.`
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
          const read = parseSearchText(next);
          setTypedEnd(read.kind === "idEnd" ? read.end : "");
          if (read.kind === "id") navigate(buildHref(`reports/${read.id}`));
          else changeRouteQuery({ q: next.trim() === "" ? [] : [next], rows: [], before: [] });
        }}
      />
      <p class="hint" id={`${id}-hint`} role="status">
        {hint}
      </p>
    </div>
  );
}
