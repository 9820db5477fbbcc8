#!/bin/sh
# Downloads every package that the lockfile in the current folder names, and checks it against the lockfile. Needs no manifest and no source.
set -eu
version=$(node -p 'require("./package.json").devEngines.packageManager.version')
npm exec --yes --package="pnpm@$version" -- pnpm fetch
