#!/usr/bin/env bash
# Makes what a release carries, in release/: the services as they are installed, both OpenAPI documents, the list of
# all packages in them (CycloneDX), and what changed. Its argument is the tag, such as v0.2.0.
set -eu
cd "$(dirname "$0")/.."

version=$(node -p "require('./package.json').version")
if [ "${1-}" != "v$version" ]; then
  echo "the tag is ${1-missing}, and package.json has version $version" >&2
  exit 1
fi

rm -rf release && mkdir release
npm run build --silent
# no path, owner or time of this machine
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
  --exclude=dist/tools --exclude='*.tsbuildinfo' -cf - package.json package-lock.json .npmrc LICENSE dist |
  gzip --no-name >"release/pillwatch-$version.tar.gz"
cp docs/openapi/device-api.json "release/device-api-$version.openapi.json"
cp docs/openapi/support-api.json "release/support-api-$version.openapi.json"
scripts/sbom.sh >"release/pillwatch-$version.cdx.json"
awk -v version="$version" '/^## /{ inside = $2 == version } inside' CHANGELOG.md | tail -n +2 >release/NOTES.md
