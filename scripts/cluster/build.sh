#!/bin/bash
# Compiles the processes of the cluster, without optimization, because they run for minutes only. Takes minutes of all processors once per machine.
#   build.sh FOLDER    for the programs `kubernetes` and `pause`
set -eu
folder=$1
cd "$(dirname "$0")"
release=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${release#v}"
version=k8s.io/component-base/version
go build -buildvcs=false -gcflags='all=-N -l' -o "$folder/kubernetes" \
  -ldflags "-X $version.gitVersion=$release -X $version.gitMajor=$major -X $version.gitMinor=$minor" .
CGO_ENABLED=0 go build -buildvcs=false -ldflags=-s -o "$folder/pause" ./pause
