/** Matches a lower-case UUID of any version. SQL statements contain the same pattern, so JavaScript and Postgres must read it alike. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
