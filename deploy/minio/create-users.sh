#!/bin/sh
# Prepares a MinIO with its root credentials, which nothing else uses. Creates the bucket and one user per process, with the policies in this
# folder. Needs mc, MINIO_URL, MINIO_ROOT_USER, MINIO_ROOT_PASSWORD, API_SECRET_KEY, WORKER_SECRET_KEY. Safe to run again.
set -eu
here=$(dirname "$0")
# mc keeps what it knows of a server in the home folder: the root's key is taken out of it again.
root=report-gateway-root
trap 'mc --quiet alias remove "$root" >/dev/null 2>&1' EXIT
# Keys are given by standard input, where the list of processes does not show them.
printf '%s\n%s\n' "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" | mc --quiet alias set "$root" "$MINIO_URL" >/dev/null
mc --quiet mb --ignore-existing "$root"/reports
printf '%s\n%s\n' gateway-api "$API_SECRET_KEY" | mc --quiet admin user add "$root"
printf '%s\n%s\n' gateway-worker "$WORKER_SECRET_KEY" | mc --quiet admin user add "$root"
for who in api worker; do
  mc --quiet admin policy create "$root" "gateway-$who" "$here/$who-policy.json"
  mc --quiet admin policy attach "$root" "gateway-$who" --user "gateway-$who"
done
