/** XML namespace of relationships, and the start of their types. */
export const officeNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
