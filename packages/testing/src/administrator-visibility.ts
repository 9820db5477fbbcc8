import { builtInRegistrations, type VisibleDeliveries } from "@reports/core/report";

export const administratorVisibility: VisibleDeliveries = {
  reports: {
    reportTypes: builtInRegistrations.reportTypes.map(({ definition }) => definition.type),
    requestedBy: null,
  },
  schedulesOf: null,
};
