export { createScheduleCalendar } from "./schedule-calendar.ts";
