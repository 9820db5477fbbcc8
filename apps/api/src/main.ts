import "@reports/runtime/require-node";

const { runMain } = await import("@reports/runtime");
const { runApi } = await import("./run-api.ts");

await runMain(() => runApi(process.env));
