// Calls the API with the types that openapi-typescript generates: token, list, start, wait, download, digest.
import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi-typescript/schema";
import { baseUrl, credentials, digestOf, expectSame, expectSome } from "./expect";

const client = createClient<paths>({ baseUrl });
const login = await client.POST("/v1/tokens", { headers: { Authorization: `Basic ${credentials}` } });
const { access_token } = expectSome(login.data, "The token", login.error);
client.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${access_token}`) });

const list = await client.GET("/v1/proxies", {
  params: { query: { kind: ["REVERSE"], sort: ["-createdAt"], limit: 5 } },
});
const [first] = expectSome(list.data, "The list", list.error);
expectSame(first?.kind, "REVERSE", "The kind");

const wrong = await client.GET("/v1/reports/{id}", {
  params: { path: { id: "018f0000-0000-7000-8000-000000000000" } },
});
expectSame(wrong.error?.code, "report-not-found", "The problem");

const started = await client.POST("/v1/reports", {
  body: {
    reportType: "PROXY",
    format: "csv",
    searchParam: { kind: ["REVERSE", "FORWARD"] },
    columns: ["name", "health"],
    sort: ["health", "-name"],
  },
});
const { id } = expectSome(started.data, "The start", started.error);
const ended = await client.GET("/v1/reports/{id}", { params: { path: { id }, header: { Prefer: "wait=30" } } });
const report = expectSome(ended.data, "The report", ended.error);
expectSame(report.status, "SUCCEEDED", "The state");
const file = expectSome(report.file, "The file", report.error);

const download = await client.GET("/v1/reports/{id}/files/{fileId}", {
  params: { path: { id, fileId: file.id } },
  parseAs: "blob",
});
expectSame(await digestOf(expectSome(download.data, "The bytes", download.error)), file.sha256, "The digest");
