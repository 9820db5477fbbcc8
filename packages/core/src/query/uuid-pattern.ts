/** A lower-case UUID of any version. Also used in SQL, so it must mean the same to Postgres. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
