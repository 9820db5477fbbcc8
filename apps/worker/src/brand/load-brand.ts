import { ConfigurationError, type ConfigurationOf } from "@reports/runtime";
import type { Brand } from "./brand.ts";
import { documentBrandVariables } from "./brand-variables.ts";
import { createPalette } from "./palette.ts";
import { LogoError, readLogo } from "./read-logo.ts";

export async function loadBrand(config: ConfigurationOf<typeof documentBrandVariables>): Promise<Brand> {
  const { brandName: name, brandColour, brandLogo, brandFooter: footer = null } = config;
  try {
    const logo = brandLogo === undefined ? null : await readLogo(brandLogo);
    return { name, footer, logo, palette: createPalette(brandColour) };
  } catch (error) {
    if (!(error instanceof LogoError)) throw error;
    throw new ConfigurationError([{ variable: documentBrandVariables.brandLogo.name, message: error.message }]);
  }
}
