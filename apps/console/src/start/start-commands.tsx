import type { ReportStart } from "@reports/client";
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { Choice } from "../parts/fields.tsx";
import { baseUrl, session } from "../shell/session.ts";
import { buildCommand, commandKinds, type CommandKind } from "./commands.ts";

export function StartCommands({ start }: { readonly start: ReportStart }) {
  const [kind, setKind] = useState<CommandKind>("curl");
  const text = buildCommand(kind, start, { baseUrl, name: session.value?.name ?? "" });
  return (
    <section aria-labelledby="copy-as">
      <h2 id="copy-as">Start it from outside the console</h2>
      <div class="spread">
        <Choice
          label="As"
          value={kind}
          options={commandKinds.map((value) => ({ value, label: value }))}
          onChange={(value) => setKind(value as CommandKind)}
        />
        <CopyButton text={text} label={`Copy as ${kind}`} />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
