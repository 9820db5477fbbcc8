#!/bin/sh
# Builds one app from the sources in the current folder. The result runs alone on Node 24:
#   sh deploy/build-app.sh api /app
#
# The folder also holds the software bill of materials (sbom.cdx.json) and all licences (THIRD-PARTY-NOTICES.txt).
# The Dockerfiles use this script, and a test runs it. It needs Node and npm. Everything else comes from the npm registry, or from the cache
# if deploy/fetch-packages.sh has run before.
set -eu
app=$1
out=$2
pnpm() {
  program=$(node scripts/install-pnpm.mjs)
  "$program" "$@"
}

pnpm install --frozen-lockfile --prefer-offline
# From here on with the Node of the lockfile, because an older Node cannot run TypeScript sources.
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
# The commit, which processes report. REVISION names it where there is no git, as in the build of an image.
echo "${REVISION:-$(git rev-parse HEAD 2>/dev/null || echo unknown)}" >"$out/revision"
pnpm --filter "@reports/$app" sbom --prod --sbom-type application --sbom-format cyclonedx --out "$out/sbom.cdx.json"
node scripts/images/describe-packages.ts "$out" $bundled

# Removes files that nothing reads at run time: types, sources and maps of TypeScript, pages of packages (licences stay), pictures of fonts,
# and the CommonJS half of two packages.
find "$out" -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '.tsbuildinfo' \
  -o -iname '*.md' ! -iname '*licen[cs]e*' ! -iname 'notice*' -o -path '*/@expo-google-fonts/*.png' \
  -o -path '*/drizzle-orm/*.cjs' -o -path '*/zod/*.cjs' \) -delete
# Removes faces of fonts that no report uses.
find "$out" -name '*.ttf' | while read -r font; do
  grep -rqF "/${font##*/}" "$out/dist/formats" || rm "$font"
done
