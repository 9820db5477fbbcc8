import { z } from "zod";
import { problemCodes } from "../base/problems/problem-catalogue.ts";

const issueSchema = z
  .strictObject({
    parameter: z.string().optional().meta({ description: "Name of the query parameter that is wrong." }),
    pointer: z.string().optional().meta({ description: "JSON pointer (RFC 6901) into the body." }),
    header: z.string().optional().meta({ description: "Name of the request header that is wrong." }),
    code: z.string().meta({ description: "Code of the problem, for programs." }),
    message: z.string().meta({ description: "Text for people: the problem and the allowed values." }),
  })
  .meta({ id: "Issue", description: "One thing that is wrong with a request." });

/** One thing that is wrong with a request. docs/reference/http.md#errors. */
export type Issue = z.output<typeof issueSchema>;

const codeSchema = z
  .enum(problemCodes)
  .meta({ id: "ProblemCode", description: "The type of a problem; /problems explains each. Later versions add more." });

/** Every problem's body. RFC 9457, docs/reference/http.md#errors. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ description: "Path of the page that explains this type of problem." }),
    title: z.string().meta({ description: "The type of problem in words." }),
    status: z.int().min(400).max(599).meta({ description: "The status of the answer." }),
    code: codeSchema,
    detail: z.string().meta({ description: "Text for people: the failure, its cause and its remedy." }),
    instance: z.string().meta({ description: "Path of the request; empty when it is too long to repeat." }),
    requestId: z.string().meta({ description: "Names the request in the logs." }),
    errors: z.array(issueSchema).meta({ description: "Everything that is wrong, twenty at most." }),
  })
  .meta({ id: "Problem", description: "Why a request failed. RFC 9457." });

/** Every problem's body. RFC 9457, docs/reference/http.md#errors. */
export type Problem = z.output<typeof problemSchema>;
