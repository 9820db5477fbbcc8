/** The style sheet of every page: system fonts, light and dark, readable on a phone and on paper. Text on its ground is WCAG AA in both. */
export const pageStyle = `
:root { color-scheme: light dark; --ground: #fff; --raised: #f6f8fa; --text: #1c2430; --muted: #57606a; --line: #d0d7de; --accent: #0b57d0; --good: #116329; --bad: #a40e26; font: 16px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1419; --raised: #1a212b; --text: #e3e8ee; --muted: #9aa7b4; --line: #36404d; --accent: #7db4ff; --good: #6fd58a; --bad: #ff8f9c; } }
* { box-sizing: border-box; }
body { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 0.25rem; }
h4 { font-size: 0.875rem; margin: 1rem 0 0.25rem; }
p { margin: 0.5rem 0; max-width: 44rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0; }
nav a { padding: 0.25rem 0; }
code, pre { font: 0.8125rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; max-height: 32rem; padding: 0.75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; margin: 0.25rem 0 0.5rem; font-size: 0.875rem; }
th, td { text-align: left; vertical-align: top; font-weight: normal; padding: 0.375rem 1rem 0.375rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
thead th { color: var(--muted); }
th[scope="row"] { min-width: 9rem; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: 0.375rem 1rem; margin: 0.5rem 0; font-size: 0.875rem; }
dt, .says, .item { color: var(--muted); }
.item code, dd code { color: var(--text); }
dd { margin: 0; }
.item { display: inline-block; margin-right: 0.75rem; }
.card { border: 1px solid var(--line); border-radius: 6px; padding: 0.25rem 1rem 0.5rem; margin: 0.75rem 0; }
.card h3 { margin-top: 0.5rem; }
details { border-top: 1px solid var(--line); padding: 0.375rem 0; }
summary { cursor: pointer; padding: 0.125rem 0; }
.method { display: inline-block; min-width: 4rem; font: 600 0.8125rem/1.5 ui-monospace, monospace; color: var(--accent); }
.POST, .PUT, .PATCH { color: var(--good); }
.DELETE { color: var(--bad); }
.says { margin-left: 0.5rem; font-size: 0.875rem; }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.5rem; }
  thead { display: none; }
  tr { display: block; padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: 0; border: 0; }
  .says { display: block; margin-left: 0; }
}
@media print {
  :root { font-size: 12px; }
  nav, .skip { display: none; }
  pre { break-inside: avoid; max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  details:not(.schema)::details-content { content-visibility: visible; block-size: auto; }
  tr, .card h3 { break-inside: avoid; }
}
`;
