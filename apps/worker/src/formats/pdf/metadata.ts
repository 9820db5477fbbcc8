import { createHash } from "node:crypto";
import { textString, type PdfFile } from "./pdf-file.ts";

/**
 * What a document says about itself. Its texts are English whatever the locale of its numbers. It names no person: who passes a file on sees
 * what stands on its pages, and not this.
 */
export interface DocumentProperties {
  readonly title: string;
  readonly subject: string;
  readonly createdAt: Date;
  /** What makes this document another than the next: the same seed gives the same identifier. */
  readonly seed: string;
}

const producer = "Report Gateway";
const language = "en";

/** Writes catalogue, information dictionary and XMP packet, and then the end of the file. */
export async function finishDocument(
  file: PdfFile,
  properties: DocumentProperties,
  pages: number,
  outlines: number,
): Promise<void> {
  const [catalogue, info, metadata] = [file.allocate(), file.allocate(), file.allocate()];
  const { title, subject, createdAt } = properties;
  const date = `(D:${createdAt.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z)`;
  await file.writeStream(metadata, "/Type/Metadata/Subtype/XML", Buffer.from(xmpPacket(properties), "utf8"), "small");
  await file.write(
    info,
    `<</Title${textString(title)}/Subject${textString(subject)}/Creator${textString(producer)}` +
      `/Producer${textString(producer)}/CreationDate${date}/ModDate${date}>>`,
  );
  await file.write(
    catalogue,
    `<</Type/Catalog/Pages ${pages} 0 R/Outlines ${outlines} 0 R/PageMode/UseOutlines/Lang(${language})/Metadata ${metadata} 0 R` +
      `/ViewerPreferences<</DisplayDocTitle true>>>>`,
  );
  const fileId = createHash("sha256").update(properties.seed).digest("hex").slice(0, 32);
  await file.finish({ root: catalogue, info, fileId });
}

function xmpPacket({ title, subject, createdAt }: DocumentProperties): string {
  const at = createdAt.toISOString();
  const alternative = (text: string): string =>
    `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`;
  return (
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">' +
    `<dc:format>application/pdf</dc:format><dc:title>${alternative(title)}</dc:title><dc:description>${alternative(subject)}</dc:description>` +
    `<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>` +
    `<xmp:CreateDate>${at}</xmp:CreateDate><xmp:ModifyDate>${at}</xmp:ModifyDate><xmp:CreatorTool>${producer}</xmp:CreatorTool><pdf:Producer>${producer}</pdf:Producer>` +
    '</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>'
  );
}

/** Escapes mark-up and drops what XML 1.0 cannot hold. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
