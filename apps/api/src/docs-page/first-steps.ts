import { html, renderCommands, type Html } from "../html.ts";
import type { ReportTypeWithAuthority } from "./report-type-section.ts";

export function renderCredentialsSection(basePath: string, issuesTokens: boolean): Html {
  const tokens = html`<p>
      Or exchange name and password for a token, and send that. It expires; <code>expires_in</code> says after how many
      seconds.
    </p>
    ${renderCommands(
      `TOKEN=$(curl -sSf -u $AUTH -X POST $BASE/v1/tokens | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
      `curl -sS -H "Authorization: Bearer $TOKEN" $BASE/v1/report-types`,
    )}`;
  return html`<section aria-labelledby="credentials">
    <h2 id="credentials">Credentials</h2>
    <p>
      Everything below <code>/v1</code> needs credentials: a name and a password (Basic), or a token (Bearer). Put the
      address of this service and your own in; all commands on this page use them.
    </p>
    ${renderCommands(`BASE=https://reports.example.org${basePath}`, "AUTH=NAME:PASSWORD")}
    <p>With name and password:</p>
    ${renderCommands(`curl -sS -u $AUTH $BASE/v1/report-types`)} ${issuesTokens ? tokens : html``}
    <p>
      A token of an issuer that this deployment trusts is sent in the same way:
      <code>Authorization: Bearer TOKEN</code>. What a caller may do is decided by authorities; each report type and
      each endpoint names the one that it needs.
    </p>
  </section>`;
}

export function renderFirstReportSection(reportType: ReportTypeWithAuthority): Html {
  const { type, formats } = reportType.definition;
  const [first = ""] = Object.keys(formats);
  const format = "csv" in formats ? "csv" : first;
  return html`<section aria-labelledby="first-report">
    <h2 id="first-report">The first report</h2>
    <p>
      The response to a start is 202 and a record. The record says how far the report is. With <code>Prefer</code> the
      response comes once the report has ended, or after 30 s. A download is 202 and the record until the report has
      ended, so the last commands ask again. You need the authority <code>${reportType.authority}</code>.
    </p>
    ${renderCommands(
      `curl -sS -u $AUTH $BASE/v1/report-types/${type}`,
      `ID=$(curl -sSf -u $AUTH "$BASE/v1/report?reportType=${type}&format=${format}" | sed -E 's/.*"id":"([^"]+)".*/\\1/')`,
      `curl -sSf -u $AUTH -H 'Prefer: wait=30' $BASE/v1/reports/$ID`,
      `while STATUS=$(curl -sS -u $AUTH -H 'Prefer: wait=30' -o report.${format}.part -w '%{http_code}' "$BASE/v1/report/download?reportType=${type}&id=$ID"); [ "$STATUS" = 202 ]; do sleep 1; done`,
      `if [ "$STATUS" = 200 ]; then mv report.${format}.part report.${format}; else cat report.${format}.part; false; fi`,
    )}
    <p>
      Filters go into the query of the start: <code>searchParam[NAME]=VALUE</code>, repeated for several values (with
      curl, add <code>-g</code>). Values of one filter are alternatives, different filters must all hold.
    </p>
  </section>`;
}
