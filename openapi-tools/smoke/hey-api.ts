// Calls the API with the client that @hey-api/openapi-ts generates: token, list, start, wait, download, digest.
import { createReport, createToken, downloadReport, listProxies, readReport } from "../generated/hey-api";
import { client } from "../generated/hey-api/client.gen";
import { baseUrl, credentials, digestOf, expectSame, expectSome } from "./expect";

client.setConfig({ baseUrl });
const login = await createToken({ headers: { Authorization: `Basic ${credentials}` } });
const { access_token } = expectSome(login.data, "The token", login.error);
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === "bearer" ? access_token : undefined) });

const list = await listProxies({ query: { kind: ["REVERSE"], sort: ["kind", "-createdAt"], limit: 5 } });
const [first] = expectSome(list.data, "The list", list.error);
expectSame(first?.kind, "REVERSE", "The kind");

const wrong = await readReport({ path: { id: "018f0000-0000-7000-8000-000000000000" } });
expectSame(wrong.error?.code, "report-not-found", "The problem");

const started = await createReport({
  body: {
    reportType: "PROXY_DOMAIN",
    format: "xlsx",
    searchParam: { severity: ["EXPIRED", "CRITICAL"] },
    columns: ["hostname", "daysLeft"],
    sort: ["-daysLeft", "hostname"],
  },
});
const { id, reportType } = expectSome(started.data, "The start", started.error);
const ended = await readReport({ path: { id }, headers: { Prefer: "wait=30" } });
const report = expectSome(ended.data, "The report", ended.error);
expectSame(report.status, "SUCCEEDED", "The state");
const file = expectSome(report.file, "The file", report.error);

const download = await downloadReport({
  query: { reportType: reportType as "PROXY_DOMAIN", id },
  parseAs: "blob",
});
const bytes = expectSome(download.data, "The bytes", download.error);
if (!(bytes instanceof Blob)) throw new Error("The download is not a file.");
expectSame(await digestOf(bytes), file.sha256, "The digest");
