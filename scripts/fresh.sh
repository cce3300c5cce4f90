#!/usr/bin/env bash
# Tries the README's commands on a fresh Debian 12: scripts/fresh.sh [--keep] [demo|check|page|ci|old-llvm|user|windows|arm64]...
#   demo      scripts/demo.sh, on nothing but Debian's essential packages
#   check     scripts/check.sh
#   page      scripts/explore.sh: the page is built and served, with Node of npm's package `node`, as Debian 12 has an older one
#   old-llvm  scripts/check.sh once more, with the tools of LLVM 14, which Debian 12 calls llvm, on the PATH
#   user      scripts/check.sh once more, as a user who is not root (packages are installed before)
#   ci        CI=1 scripts/check.sh
#   windows   scripts/windows.sh check: built by mingw-w64, tested under wine
#   arm64     scripts/arm64.sh check: cross-built, tested under QEMU
# By default demo, check and old-llvm. A commit is tried, not what is changed since: a clone of HEAD, with nothing beside it, in a root of its own
# below TMPDIR (4 GB), which is removed in the end unless --keep is given. Packages come from where this machine's apt gets them. Runs as root.
# Prints each leg's exit status and time; exits with 1 when a leg failed.
set -euo pipefail
cd "$(dirname "$0")/.."

keep=
legs=()
for word in "$@"; do
  case $word in
    --keep) keep=1 ;;
    demo | check | page | ci | old-llvm | user | windows | arm64) legs+=("$word") ;;
    *) sed -n '2,13s/^# //p' "$0" >&2; exit 2 ;;
  esac
done
[ ${#legs[@]} -ne 0 ] || legs=(demo check old-llvm)
if [ "$(id -u)" -ne 0 ]; then
  echo "scripts/fresh.sh makes a root of its own: run it as root" >&2
  exit 2
fi

step() { printf '\n=== %s\n' "$*"; }

command -v mmdebstrap >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends mmdebstrap; }
command -v git >/dev/null || { echo "git is needed, to clone what is tried" >&2; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/unshade-fresh.XXXXXX")
root=$work/root
finish() {
  if [ -n "$keep" ]; then echo "kept: $work"; else rm -rf --one-file-system "$work"; fi
}
trap finish EXIT

# Debian's own sources of this machine, where it has bookworm; else those that mmdebstrap knows. Its proxy and what it says of dates go with them.
sources=()
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  if [ -f "$file" ] && grep -q bookworm "$file"; then
    sources=("$file")
    break
  fi
done
apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-(Valid-Until|Date)) ' >"$work/apt.conf" || true

step "a root with Debian 12's essential packages: $root"
mmdebstrap --variant=minbase --aptopt="$work/apt.conf" bookworm "$root" "${sources[@]}"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/trusted.crt" 2>/dev/null || true  # what this machine trusts, for npm behind a proxy
git clone -q . "$root/src/unshade"

# in_root COMMAND: in the clone, with the mounts that programs expect, and with nothing of this environment but a proxy. The mounts end with it.
in_root() {
  local environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}")
  local name
  for name in http_proxy https_proxy no_proxy; do
    if [ -n "${!name:-}" ]; then environment+=("$name=${!name}"); fi
  done
  # npm's packages come from where this machine's npm gets them
  if command -v npm >/dev/null; then environment+=("npm_config_registry=$(npm config get registry)" npm_config_cafile=/etc/trusted.crt); fi
  unshare --mount --pid --fork --kill-child --propagation private bash -c '
    root=$1 command=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" /usr/bin/env -i "$@" bash -c "cd /src/unshade && $command"' - "$root" "$1" "${environment[@]}"
}

results=()
failed=0
for leg in "${legs[@]}"; do
  step "$leg"
  start=$SECONDS
  status=0
  case $leg in
    demo) in_root scripts/demo.sh || status=$? ;;
    check) in_root scripts/check.sh || status=$? ;;
    ci) in_root 'CI=1 scripts/check.sh' || status=$? ;;
    windows) in_root 'scripts/windows.sh check' || status=$? ;;
    arm64) in_root 'scripts/arm64.sh check' || status=$? ;;
    page)
      in_root 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm curl >/dev/null &&
        npm install --loglevel=error --no-audit --no-fund --prefix /opt/node node@22 && export PATH=/opt/node/node_modules/node/bin:$PATH && {
          scripts/explore.sh 4190 & server=$!
          until curl -fs http://127.0.0.1:4190/ | grep -q "<title>"; do kill -0 $server || exit 1; sleep 1; done
          kill $server
        }' || status=$? ;;
    old-llvm)
      in_root 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends llvm >/dev/null &&
        yaml2obj --version | grep version && scripts/check.sh' || status=$? ;;
    user)
      in_root 'scripts/bootstrap.sh build && useradd -m visitor && cp -r /src/unshade /home/visitor/ && chown -R visitor: /home/visitor &&
        cd /home/visitor/unshade && rm -rf build && setpriv --reuid visitor --regid visitor --clear-groups env HOME=/home/visitor scripts/check.sh' || status=$? ;;
  esac
  results+=("$(printf '%-10s exit %-4s %2d min %02d s' "$leg" "$status" $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)))")
  if [ "$status" -ne 0 ]; then failed=1; fi
done

step "results, of $(git -C "$root/src/unshade" log -1 --format='%h %s')"
printf '%s\n' "${results[@]}"
exit "$failed"
