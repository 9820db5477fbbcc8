import { createHash } from "node:crypto";
import type { Language } from "@reports/core/report";
import { encodeTextString, type PdfFile } from "./pdf-file.ts";
import { createDeflatedSrgbProfile } from "./srgb-profile.ts";

/** The metadata of a document. The author is the brand and not a person, because people who forward a file see its pages, not its metadata. */
export interface PdfDocumentProperties {
  readonly title: string;
  readonly subject: string;
  readonly author: string;
  readonly createdAt: Date;
  readonly language: Language;
  /** Seed of the file identifier, so that equal documents have equal identifiers. */
  readonly seed: string;
}

const producer = "Report Gateway";

/** Object numbers of the roots of page tree, bookmarks and structure. `structure` is null if the document is not tagged. */
export interface RootObjectNumbers {
  readonly pages: number;
  readonly outlines: number;
  readonly structure: number | null;
}

export async function finishPdfDocument(
  file: PdfFile,
  properties: PdfDocumentProperties,
  { pages, outlines, structure }: RootObjectNumbers,
): Promise<void> {
  const [catalogue, info, metadata, profile] = [file.allocate(), file.allocate(), file.allocate(), file.allocate()];
  const { title, subject, author, createdAt, language } = properties;
  const date = `(D:${createdAt.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z)`;
  const packet = createXmpPacket(properties, structure === null ? untaggedConformance : taggedConformance);
  await file.writePlainStream(metadata, "/Type/Metadata/Subtype/XML", Buffer.from(packet, "utf8"));
  await file.writeCompressed(profile, "/N 3", createDeflatedSrgbProfile());
  await file.write(
    info,
    `<</Title${encodeTextString(title)}/Subject${encodeTextString(subject)}/Author${encodeTextString(author)}/Creator${encodeTextString(producer)}` +
      `/Producer${encodeTextString(producer)}/CreationDate${date}/ModDate${date}>>`,
  );
  const tags = structure === null ? "" : `/MarkInfo<</Marked true>>/StructTreeRoot ${structure} 0 R`;
  await file.write(
    catalogue,
    `<</Type/Catalog/Pages ${pages} 0 R/Outlines ${outlines} 0 R/PageMode/UseOutlines/Lang(${language})/Metadata ${metadata} 0 R${tags}` +
      `/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB IEC61966-2.1)/DestOutputProfile ${profile} 0 R>>]` +
      `/ViewerPreferences<</DisplayDocTitle true>>>>`,
  );
  const fileId = createHash("sha256").update(properties.seed).digest("hex").slice(0, 32);
  await file.finish({ root: catalogue, info, fileId });
}

/** Extension schema that declares the property of PDF/UA, which PDF/A-2 does not know. ISO 19005-2 §6.6.2.3. */
const accessibilitySchema =
  '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"' +
  ' xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">' +
  "<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>" +
  '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>' +
  "<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category>" +
  "<pdfaProperty:description>Part of ISO 14289 to which the file conforms</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>" +
  "</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>";

const describePdfaConformance = (conformance: string): string =>
  `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2</pdfaid:part><pdfaid:conformance>${conformance}</pdfaid:conformance></rdf:Description>`;

const untaggedConformance = describePdfaConformance("U");
const taggedConformance =
  describePdfaConformance("A") +
  '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>' +
  accessibilitySchema;

function createXmpPacket(
  { title, subject, author, createdAt, language }: PdfDocumentProperties,
  conformance: string,
): string {
  const at = createdAt.toISOString();
  const alternative = (text: string): string =>
    `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`;
  return (
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">' +
    `<dc:format>application/pdf</dc:format><dc:title>${alternative(title)}</dc:title><dc:description>${alternative(subject)}</dc:description>` +
    `<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>` +
    `<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>` +
    `<xmp:CreateDate>${at}</xmp:CreateDate><xmp:ModifyDate>${at}</xmp:ModifyDate><xmp:CreatorTool>${producer}</xmp:CreatorTool><pdf:Producer>${producer}</pdf:Producer>` +
    `</rdf:Description>${conformance}</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>`
  );
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
