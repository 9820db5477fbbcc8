import type { ReportAccess } from "@reports/auth";
import {
  createDownloadLink,
  downloadLinkNotFoundError,
  openFinishedFileOrThrow,
  readLinkLifetimeSeconds,
  type CreateDownloadLinkDeps,
  type DownloadLinkStore,
} from "@reports/core/report";
import { idField } from "@reports/core/query";
import { createdDownloadLinkSchema, downloadLinkInputSchema, downloadLinkSchema } from "@reports/core/wire";
import { isUuidV7 } from "@reports/runtime";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { createResponseSerializer } from "../resource/record-resource.ts";

export interface DownloadLinksDeps extends CreateDownloadLinkDeps {
  readonly links: DownloadLinkStore;
  readonly reportAccess: Pick<ReportAccess, "linksBy">;
  readonly linkMaxSeconds: number;
  /** Scheme and host of link URLs. If empty, the URLs are relative. */
  readonly publicUrl: string;
  readonly basePath: string;
}

const linksPath = "/v1/reports/{id}/files/{fileId}/links";
const fileId = idField("Id of the file, as the report names it.");
const fileParams = z.object({ fileId });
const fileProblems = {
  404: "There is no such report or file, or the caller may not see it.",
  410: "The file was removed after its retention or is damaged, or the report was deleted.",
};

export function downloadLinksEndpoints(deps: DownloadLinksDeps): readonly Endpoint[] {
  return [createLinkEndpoint(deps), listLinksEndpoint(deps), revokeLinkEndpoint(deps)];
}

function createLinkEndpoint(deps: DownloadLinksDeps): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: linksPath,
    operationId: "createDownloadLink",
    summary: "Makes a link by which a file is downloaded without credentials",
    description:
      "For callers that may download the file. The link ends when its time is over, when it is revoked, when the file is removed, when the caller's token expires, or when its maker may no longer download the file. A caller has at most 20 active links.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    audit: { recordType: "report", verb: "link" },
    params: fileParams,
    body: {
      mediaTypes: ["application/json"],
      schema: downloadLinkInputSchema,
      example: { expiresInSeconds: 60 },
      isOptional: true,
    },
    responses: {
      201: describeJson("The link, whose address is shown only once.", createdDownloadLinkSchema),
      ...describeProblems({
        ...fileProblems,
        422: "A field is unknown or wrong, or the caller has reached the limit of active links.",
      }),
    },
    async handle({ report, params: { fileId = "" }, body, principal }) {
      const seconds = readLinkLifetimeSeconds(body, deps.linkMaxSeconds);
      const wanted = { report, fileId, createdBy: principal.id, seconds, credentialsEndAt: principal.endsAt };
      const { link, token } = await createDownloadLink(deps, wanted);
      // The URL does not contain the request's Host header. An attacker could set that header, and would then receive the token.
      const url = `${deps.publicUrl}${deps.basePath}/v1/links/${token}`;
      return replyJson({ id: link.id, url, expiresAt: link.expiresAt.toISOString() }, 201);
    },
  });
}

const showLink = createResponseSerializer(downloadLinkSchema);

function listLinksEndpoint(deps: DownloadLinksDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: linksPath,
    operationId: "listDownloadLinks",
    summary: "Lists the active links to a file, without their addresses",
    description:
      "The caller's own links; holders of REPORTS_ADMIN get the links of all callers. Newest first, at most 200.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    params: fileParams,
    responses: {
      200: describeJson("The links.", z.array(downloadLinkSchema)),
      ...describeProblems(fileProblems),
    },
    async handle({ report, params: { fileId = "" }, principal }) {
      await openFinishedFileOrThrow(deps, report, fileId);
      const createdBy = deps.reportAccess.linksBy(principal);
      const links = await deps.links.list({ reportId: report.id, fileId, createdBy }, deps.now());
      return replyJson(links.map(showLink));
    },
  });
}

function revokeLinkEndpoint(deps: DownloadLinksDeps): Endpoint {
  return defineEndpoint({
    method: "DELETE",
    path: `${linksPath}/{linkId}`,
    operationId: "revokeDownloadLink",
    summary: "Revokes a link",
    description:
      "For its maker and for holders of REPORTS_ADMIN. Repeating it changes nothing. A download that has begun runs to its end.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    audit: { recordType: "report", verb: "unlink" },
    params: z.object({ fileId, linkId: idField("Id of the link.") }),
    produces: [],
    responses: {
      204: { kind: "empty", description: "It has ended, now or already." },
      ...describeProblems({ 404: "There is no such report, file or link, or the caller may not see it." }),
    },
    async handle({ report, params: { fileId = "", linkId = "" }, principal }) {
      const createdBy = deps.reportAccess.linksBy(principal);
      const isFound =
        isUuidV7(fileId) &&
        isUuidV7(linkId) &&
        (await deps.links.revoke({ id: linkId, reportId: report.id, fileId, createdBy }, deps.now()));
      if (!isFound) throw downloadLinkNotFoundError(null);
      return { status: 204, body: { kind: "empty" } };
    },
  });
}
