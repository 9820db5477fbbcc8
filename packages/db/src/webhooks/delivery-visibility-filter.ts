import { webhookTestEventType } from "@reports/core/webhook";
import type { DeliveryVisibilityFilter } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { isVisibleReport } from "../reports/visible-reports.ts";
import { reportSchedules } from "../schema/report-schedules.ts";
import { reports } from "../schema/reports.ts";
import { webhookDeliveries } from "../schema/webhooks.ts";

const { reportId, type, data } = webhookDeliveries;

export function isVisibleDelivery({ reports: visible, schedulesOf }: DeliveryVisibilityFilter): SQL {
  const ownedBy = schedulesOf === null ? sql`` : sql`and ${reportSchedules.owner} = ${schedulesOf}`;
  return sql`case
    when ${type} = ${webhookTestEventType} then true
    when ${reportId} is not null then exists (
      select from ${reports} where ${reports.id} = ${reportId} and ${isVisibleReport(visible)}
    )
    else exists (
      select from ${reportSchedules} where ${reportSchedules.id} = (${data} ->> 'scheduleId')::uuid ${ownedBy}
    ) end`;
}
