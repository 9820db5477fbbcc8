#!/bin/sh
# Downloads every package that the lockfile in the current folder names, and checks it against the lockfile. Needs no manifest and no source.
set -eu
pnpm=$(node scripts/install-pnpm.mjs)
"$pnpm" fetch
