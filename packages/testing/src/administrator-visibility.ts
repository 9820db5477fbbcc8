import { builtInRegistrations, type VisibleDeliveries } from "@reports/core/report";

/** Deliveries that an administrator sees who holds the authority of every built-in report type. */
export const administratorVisibility: VisibleDeliveries = {
  reports: {
    reportTypes: builtInRegistrations.reportTypes.map(({ definition }) => definition.type),
    requestedBy: null,
  },
  schedulesOf: null,
};
