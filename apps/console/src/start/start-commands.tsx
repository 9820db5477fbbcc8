import type { ReportStart } from "@reports/client";
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Choice } from "../parts/fields.tsx";
import { apiBaseUrl, session } from "../shell/session.ts";
import { buildStartCommand, startCommandKinds, type StartCommandKind } from "./commands.ts";

export function StartCommands({ start }: { readonly start: ReportStart }) {
  const [kind, setKind] = useState<StartCommandKind>("curl");
  const text = buildStartCommand(kind, start, { baseUrl: apiBaseUrl, name: session.value?.name ?? "" });
  return (
    <section aria-labelledby="copy-as">
      <h2 id="copy-as">Start it from outside the console</h2>
      <div class="spread">
        <Choice
          label="As"
          value={kind}
          options={startCommandKinds.map((value) => ({ value, label: value }))}
          onChange={(value) => setKind(value as StartCommandKind)}
        />
        <CopyButton text={text} label={`Copy as ${kind}`} />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
