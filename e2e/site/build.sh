#!/usr/bin/env bash
# build.sh PAGES...: copies the pages below the folders into the site and builds it into out/.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: build.sh PAGES..." >&2; exit 2; }
sources=()
for pages; do sources+=("$(realpath "$pages")"); done
cd "$(dirname "$0")"
# what a failed build leaves in .next breaks the next one
rm -rf .next .source out content
mkdir -p content/benchmarks
for pages in "${sources[@]}"; do cp -r "$pages/." content/benchmarks/; done
NEXT_TELEMETRY_DISABLED=1 npx --no-install next build
