export const pageStyle = `
:root { color-scheme: light dark; --ground: #ffffff; --raised: #f6f8fa; --band: #e6ecf2; --line: #d1d9e0; --edge: #818c98; --ink: #1c2633; --muted: #556170; --accent: #1a4d7a; --brand: #1a4d7a; --good: #1a6638; --bad: #a81919; --radius: 4px; --text: system-ui, sans-serif; --mono: ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; font: 14px/20px var(--text); font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { :root { --ground: #10151b; --raised: #171e26; --band: #1e2832; --line: #2e3945; --edge: #6f7c8a; --ink: #e4e9ef; --muted: #a0acb9; --accent: #93bfe8; --brand: #2f6ea6; --good: #86d3a2; --bad: #ff9a94; } }
* { box-sizing: border-box; }
html { border-top: 4px solid var(--brand); background: var(--ground); }
body { max-width: 1024px; margin: 0 auto; padding: 32px 24px 64px; color: var(--ink); overflow-wrap: anywhere; }
h1 { font-size: 28px; line-height: 36px; font-weight: 600; letter-spacing: -0.01em; margin: 0 0 8px; }
h2 { font-size: 20px; line-height: 24px; font-weight: 600; margin: 48px 0 8px; padding-bottom: 8px; border-bottom: 1px solid var(--edge); }
h3 { font-size: 16px; line-height: 24px; font-weight: 600; margin: 24px 0 4px; }
h4 { font-size: 14px; font-weight: 600; margin: 16px 0 4px; }
p { margin: 8px 0; max-width: 72ch; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav { display: flex; flex-wrap: wrap; gap: 0 24px; margin: 16px 0 0; border-bottom: 1px solid var(--line); }
nav a { padding: 8px 0 12px; color: var(--muted); text-decoration: none; }
nav a:hover { color: var(--ink); box-shadow: inset 0 -2px 0 var(--accent); }
code, pre { font: 12px/20px var(--mono); }
pre { overflow-x: auto; max-height: 32rem; padding: 12px; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; margin: 4px 0 8px; }
th, td { text-align: left; vertical-align: top; font-weight: normal; padding: 8px 12px; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { padding: 8px 12px; background: var(--band); border-bottom-color: var(--edge); font-size: 12px; line-height: 16px; font-weight: 600; white-space: nowrap; }
th[scope="row"] { min-width: 9rem; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: 0.375rem 1rem; margin: 8px 0; }
dt, .says, .item { color: var(--muted); }
.item code, dd code { color: var(--ink); }
dd { margin: 0; }
.item { display: inline-block; margin-right: 0.75rem; }
.card { border: 1px solid var(--line); border-left: 4px solid var(--brand); border-radius: var(--radius); padding: 4px 16px 8px; margin: 0.75rem 0; }
.card h3 { margin-top: 0.5rem; }
details { border-top: 1px solid var(--line); padding: 0.375rem 0; }
summary { cursor: pointer; padding: 0.125rem 0; }
.method { display: inline-block; min-width: 4rem; font: 600 12px/20px var(--mono); color: var(--accent); }
.POST, .PUT, .PATCH { color: var(--good); }
.DELETE { color: var(--bad); }
.says { margin-left: 8px; }
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
