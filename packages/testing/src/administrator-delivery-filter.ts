import { builtInRegistrations, type DeliveryVisibilityFilter } from "@reports/core/report";

export const administratorDeliveryFilter: DeliveryVisibilityFilter = {
  reports: {
    reportTypes: builtInRegistrations.reportTypes.map(({ definition }) => definition.type),
    requestedBy: null,
  },
  schedulesOf: null,
};
