import { z } from "zod";
import { problemCodes } from "../base/problems/problem-catalogue.ts";

const issueSchema = z
  .strictObject({
    parameter: z.string().optional().meta({ description: "Name of the wrong query parameter." }),
    pointer: z.string().optional().meta({ description: "JSON pointer (RFC 6901) to the wrong value in the body." }),
    header: z.string().optional().meta({ description: "Name of the wrong request header." }),
    code: z.string().meta({ description: "Kind of this mistake, for programs." }),
    message: z.string().meta({ description: "The mistake and the allowed values, for people." }),
  })
  .meta({ id: "Issue", description: "One thing that is wrong with a request." });

/** One mistake in a request: its location, and the allowed values. docs/reference/http.md#errors. */
export type Issue = z.output<typeof issueSchema>;

const codeSchema = z.enum(problemCodes).meta({
  id: "ProblemCode",
  description:
    "Name of the type of a problem, for programs. /problems explains each code. Later versions can add codes.",
});

/** The body of every error response. RFC 9457, docs/reference/http.md#errors. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ description: "Path of the page that explains this type of problem." }),
    title: z.string().meta({ description: "The type of the problem in words." }),
    status: z.int().min(400).max(599).meta({ description: "The HTTP status of the response." }),
    code: codeSchema,
    detail: z.string().meta({ description: "The failure, its cause and its remedy, for people." }),
    instance: z.string().meta({
      description:
        "Path of the request without its query. Empty if the path is too long, or could contain the token of a link.",
    }),
    requestId: z.string().meta({ description: "ID of the request, as in the logs and in the header X-Request-Id." }),
    errors: z.array(issueSchema).meta({
      description:
        "The mistakes of the request: at most 20, and fewer if their texts are long. detail then says how many more there are.",
    }),
  })
  .meta({ id: "Problem", description: "Why a request failed. RFC 9457." });

/** The body of every error response. RFC 9457, docs/reference/http.md#errors. */
export type Problem = z.output<typeof problemSchema>;
