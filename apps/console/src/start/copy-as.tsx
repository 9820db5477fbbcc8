import type { ReportStart } from "@reports/client";
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Choice } from "../parts/fields.tsx";
import { baseUrl, session } from "../shell/session.ts";
import { commandOf, ways, type Way } from "./commands.ts";

export function CopyAs({ start }: { readonly start: ReportStart }) {
  const [way, setWay] = useState<Way>("curl");
  const text = commandOf(way, start, { baseUrl, name: session.value?.name ?? "" });
  return (
    <section aria-labelledby="copy-as">
      <h2 id="copy-as">Start it from outside the console</h2>
      <div class="spread">
        <Choice
          label="As"
          value={way}
          options={ways.map((value) => ({ value, label: value }))}
          onChange={(value) => setWay(value as Way)}
        />
        <CopyButton text={text} label={`Copy as ${way}`} />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
