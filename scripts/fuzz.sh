#!/usr/bin/env bash
# Builds the fuzz preset (clang 19: scripts/bootstrap.sh) and tries every property, or those named: what scripts/fuzz.py tells of itself.
#   scripts/fuzz.sh SECONDS [PROPERTY...]                      SECONDS for all together, in turn
#   scripts/fuzz.sh --each SECONDS [--jobs N] [PROPERTY...]    SECONDS for each, N side by side
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  '' | -h | --help) exec python3 scripts/fuzz.py --help ;;
esac
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
exec python3 scripts/fuzz.py build/fuzz "$@"
