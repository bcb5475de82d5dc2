#!/usr/bin/env bash
# Prints every package that a service may load, as CycloneDX. `npm sbom --omit dev` of a whole checkout leaves out those
# that a package for development needs, too (npm 11: rxjs, tslib and fifty more), so development is taken out first.
set -eu
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp package.json package-lock.json .npmrc "$folder"
cd "$folder"
npm pkg delete devDependencies
npm install --package-lock-only --ignore-scripts --silent
npm sbom --package-lock-only --sbom-format cyclonedx
