import type { ComponentChildren } from "preact";
import { toDirAttribute } from "./direction.ts";

export function PageHead(props: {
  readonly eyebrow: string;
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="head">
      <div>
        <p class="eyebrow">{props.eyebrow}</p>
        <h1 dir={toDirAttribute(props.title)} tabIndex={-1}>
          {props.title}
        </h1>
        {props.lead !== undefined && <div class="lead">{props.lead}</div>}
      </div>
      {props.children !== undefined && <div class="buttons">{props.children}</div>}
    </div>
  );
}
