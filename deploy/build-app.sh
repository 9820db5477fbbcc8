#!/bin/sh
# Builds one app out of the sources in the current folder into a folder that runs alone on Node 24:
#   sh deploy/build-app.sh api /app
# Beside the app lie its software bill of materials (sbom.cdx.json) and the licences of everything in it (THIRD-PARTY-NOTICES.txt).
# Used by the Dockerfiles and by the test that keeps them from rotting. Needs Node and npm; everything else comes from the npm registry,
# and nothing where deploy/fetch-packages.sh has run before.
set -eu
app=$1
out=$2
pnpm() {
  program=$(node scripts/install-pnpm.mjs)
  "$program" "$@"
}

pnpm install --frozen-lockfile --prefer-offline
# From here on by the Node that the lockfile names: what follows runs sources in TypeScript, which an older one cannot.
PATH=$PWD/node_modules/.bin:$PATH
export PATH
./node_modules/.bin/tsc -b "apps/$app"
bundled=
# The pages that the API serves.
if [ "$app" = api ]; then
  node --conditions=@reports/source apps/console/build.ts
  bundled=apps/console/dist/bundled-packages.json
fi
pnpm --filter "@reports/$app" deploy --prod "$out"
# Which commit this is, for whoever asks a process. Where there is no git, as in an image's build, REVISION says it.
echo "${REVISION:-$(git rev-parse HEAD 2>/dev/null || echo unknown)}" >"$out/revision"
pnpm --filter "@reports/$app" sbom --prod --sbom-type application --sbom-format cyclonedx --out "$out/sbom.cdx.json"
node scripts/images/describe-packages.ts "$out" $bundled

# What nothing reads at run time is left out: TypeScript's types, sources and maps, what packages tell people (licences stay), pictures of
# fonts, and the CommonJS half of two packages that nothing requires.
find "$out" -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '.tsbuildinfo' \
  -o -iname '*.md' ! -iname '*licen[cs]e*' ! -iname 'notice*' -o -path '*/@expo-google-fonts/*.png' \
  -o -path '*/drizzle-orm/*.cjs' -o -path '*/zod/*.cjs' \) -delete
# So are faces of fonts that no report is set in.
find "$out" -name '*.ttf' | while read -r font; do
  grep -rqF "/${font##*/}" "$out/dist/formats" || rm "$font"
done
