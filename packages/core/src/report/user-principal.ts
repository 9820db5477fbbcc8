/** What stands before the name of one of our own users in a principal's id. No other principal's id begins so. */
export const userPrincipalPrefix = "basic:";
