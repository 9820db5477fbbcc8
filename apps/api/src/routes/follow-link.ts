import { DomainError } from "@reports/core/base";
import { openLinkedFile, type DownloadLinkThrottle, type OpenLinkedFileDeps } from "@reports/core/report";
import { z } from "zod";
import { defineEndpoint, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { createLinkGuessingGuard } from "../limits/link-guessing-guard.ts";
import { createFileReply, fileRequestHeaders, fileResponseSpecs } from "./create-file-reply.ts";

export interface FollowLinkDeps extends OpenLinkedFileDeps {
  readonly linkThrottle: DownloadLinkThrottle;
}

/**
 * Defines `GET /v1/links/{token}`, which needs no credentials. The link is checked only when a download starts, so a running download continues
 * after the link's end. docs/reference/resources/download-links.md#links.
 */
export function followLinkEndpoint(deps: FollowLinkDeps): Endpoint {
  const guard = createLinkGuessingGuard({
    links: deps.links,
    throttle: deps.linkThrottle,
    now: () => deps.now().getTime(),
  });
  return defineEndpoint({
    method: "GET",
    path: "/v1/links/{token}",
    operationId: "downloadByLink",
    summary: "Downloads the file that a link leads to",
    description:
      "Needs no credentials: the link is one. The same bytes as with credentials; Range and conditional headers are supported.",
    tag: openApiTags.reports,
    access: { kind: "public" },
    audit: { recordType: "report", verb: "follow-link" },
    params: z.object({
      token: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/)
        .meta({ description: "The secret token of the link." }),
    }),
    headers: fileRequestHeaders,
    produces: [],
    responses: {
      ...fileResponseSpecs,
      ...describeProblems({
        404: "There is no such link, or it has ended, or its report or file.",
        429: "Too many links from this address led nowhere, this link is followed too often, or its maker has too many downloads; RateLimit says which one.",
      }),
    },
    async handle(input) {
      const { address } = input;
      // Reading the header adds it to Vary. So Vary lists Accept for every link and does not reveal whether the link is valid.
      input.header("accept");
      const following = openLinkedFile({ ...deps, links: guard.linksFor(address) }, input.params["token"] ?? "");
      const followed = await following.catch(async (error: unknown) => {
        if (error instanceof DomainError && error.kind === "not-found") await guard.countFailure(address);
        throw error;
      });
      const { link, report, opened } = followed;
      input.actFor(link.createdBy, `link:${link.id}`);
      const reply = createFileReply(opened, input);
      if (reply.audit === undefined) return reply;
      return { ...reply, audit: { recordId: report.id, reportType: report.reportType, owner: report.requestedBy } };
    },
  });
}
