import { z } from "zod";
import { urlText } from "../environment/text-schemas.ts";
import { defineEnvironment } from "../environment/variable.ts";

export const traceVariables = defineEnvironment({
  traceEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    schema: urlText(["http", "https"]),
    optional: true,
    description:
      "Collector of traces (OTLP over HTTP), such as http://otel-collector:4318; its path gets /v1/traces. Without it nothing is traced. OTEL_EXPORTER_OTLP_HEADERS is sent along.",
  },
  traceShare: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    schema: z
      .string()
      .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be a number from 0 to 1, such as 0.05")
      .transform(Number),
    default: 1,
    description: "Share of traces that are recorded, from 0 to 1. For requests with a traceparent, the caller decides.",
  },
});
