#!/bin/sh
# Builds one app out of the sources in the current folder into a folder that runs alone on Node 24:
#   sh deploy/build-app.sh api /app
# Used by the Dockerfiles and by the test that keeps them from rotting. Needs Node and npm; everything else comes from the npm registry.
set -eu
app=$1
out=$2
version=$(node -p 'require("./package.json").devEngines.packageManager.version')
pnpm() { npm exec --yes --package="pnpm@$version" -- pnpm "$@"; }

pnpm install --frozen-lockfile
./node_modules/.bin/tsc -b "apps/$app"
# The pages that the API serves.
if [ "$app" = api ]; then node --conditions=@reports/source apps/console/build.ts; fi
pnpm --filter "@reports/$app" deploy --prod "$out"
