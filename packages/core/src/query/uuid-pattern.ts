/** A lower-case UUID of any version. Also written into SQL, so that it holds nothing that Postgres reads in another way. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
