/** Matches a lower-case UUID of any version. The SQL function job_report_id is created with this pattern, so JavaScript and Postgres must read it alike. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
