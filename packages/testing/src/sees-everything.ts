import { builtInRegistrations, type VisibleDeliveries } from "@reports/core";

/** What an administrator of every built-in report type may know of. */
export const seesEverything: VisibleDeliveries = {
  reports: {
    reportTypes: builtInRegistrations.reportTypes.map(({ definition }) => definition.type),
    requestedBy: null,
  },
  schedulesOf: null,
};
