import { defineReportTypes } from "@reports/core/report-type";
import { depotLoadReport } from "./depot-load.js";
import { shipmentReport } from "./shipment.js";
import { vehicleReport } from "./vehicle.js";

export default defineReportTypes([
  { definition: shipmentReport, authority: "REPORT_SHIPMENT" },
  { definition: depotLoadReport, authority: "REPORT_DEPOT_LOAD" },
  { definition: vehicleReport, authority: "REPORT_VEHICLE" },
]);
