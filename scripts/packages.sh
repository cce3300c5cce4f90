#!/usr/bin/env bash
# Makes the Debian packages, and tries them: scripts/packages.sh [--build DIR] [--page DIR] [--root] [-- CMAKE_ARGUMENT...]
#   --build DIR  where to build (default: build/packages); the packages are in DIR/packages
#   --page DIR   the built explorer, for the package unshade-page (default: build/page, where scripts/explore.sh puts it); left out where it was
#                not built
#   --root       installs them in a Debian 12 of their own that has nothing else (as root, by mmdebstrap), and runs the commands of README.md and
#                docs/start.md there
# Needs Debian's dpkg-dev, fakeroot and lintian beside what scripts/bootstrap.sh build installs. Exits with 1 if lintian has an error or a warning.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/packages
page=$PWD/build/page
in_root=
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift 2 ;;
    --page) page=$(realpath -- "$2"); [ -e "$page/index.html" ] || { echo "$2 has no index.html: scripts/explore.sh --build-only DIR builds the page" >&2; exit 2; }; shift 2 ;;
    --root) in_root=1; shift ;;
    --) shift; break ;;
    *) sed -n '2,8s/^# //p' "$0" >&2; exit 2 ;;
  esac
done

step() { printf '\n== %s\n' "$*"; }

if [ ! -e "$page/index.html" ]; then
  echo "the explorer was not built (scripts/explore.sh --build-only build/page): no package unshade-page" >&2
  page=
fi

step "build"
# As Debian's own packages: with the libraries that the system updates, and hardened.
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DUNSHADE_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr \
  -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" -DUNSHADE_STATIC=OFF -DUNSHADE_ZSH_FOLDER=zsh/vendor-completions -DUNSHADE_PAGE="$page" \
  -DCMAKE_EXE_LINKER_FLAGS="-Wl,-z,relro,-z,now -pie" -DCMAKE_SHARED_LINKER_FLAGS="-Wl,-z,relro,-z,now" "$@" >/dev/null
cmake --build "$build"

step "packages"
rm -rf "$build/packages"
(cd "$build" && cpack >cpack.log) || { cat "$build/cpack.log"; exit 1; }
ls -l "$build"/packages/*.deb

step "lintian"
lintian --allow-root --fail-on error,warning --info --tag-display-limit 0 "$build"/packages/*.deb

[ -n "$in_root" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "--root makes a root of its own: run it as root" >&2
  exit 2
fi

step "a root with Debian 12's essential packages, and these"
work=$(mktemp -d "${TMPDIR:-/tmp}/unshade-packages.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
sources=()
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  if [ -f "$file" ] && grep -q bookworm "$file"; then sources=("$file"); break; fi
done
apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-(Valid-Until|Date)) ' >"$work/apt.conf" || true
chmod 755 "$work"
mmdebstrap --quiet --variant=minbase --aptopt="$work/apt.conf" bookworm "$work/root" "${sources[@]}"
cp -L /etc/resolv.conf /etc/hosts "$work/root/etc/" 2>/dev/null || true
mkdir "$work/root/packages" "$work/root/source"
cp "$build"/packages/*.deb "$work/root/packages/"
git archive HEAD | tar -x -C "$work/root/source"

in_root() {
  local environment=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive)
  local name
  for name in http_proxy https_proxy no_proxy; do
    if [ -n "${!name:-}" ]; then environment+=("$name=${!name}"); fi
  done
  chroot "$work/root" /usr/bin/env -i "${environment[@]}" bash -euc "$1"
}
in_root 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /packages/*.deb file shared-mime-info >/dev/null'
step "the library, Python, the types of files"
in_root '
cd /source
python3 -c "import unshade; print(unshade.open(\"tests/data/dxbc/textured_ps_5_0.dxbc\"), unshade.__file__)"
ls /usr/lib/python3/dist-packages/unshade/__pycache__ | grep -q shader
file -m /usr/share/unshade/magic:/usr/share/misc/magic.mgc tests/data/pica/skin.v.shbin | grep "PICA200 shader"
grep -q "x-dxcontainer:\*.cso" /usr/share/mime/globs2
zcat /usr/share/man/man1/unshade.1.gz | grep -q "SS validate"
zcat /usr/share/man/man1/unshade-validate.1.gz | grep -q "SH EXIT STATUS"
if [ -e /packages/unshade-page_*.deb ]; then
  python3 -m http.server --bind 127.0.0.1 --directory /usr/share/unshade/page 4180 >/dev/null 2>&1 & server=$!
  for i in 1 2 3 4 5 6 7 8 9 10; do
    if python3 -c "import urllib.request as r; r.urlopen(\"http://127.0.0.1:4180/\")" 2>/dev/null; then break; fi
    sleep 0.3
  done
  python3 -c "
import re, urllib.request as r
base = \"http://127.0.0.1:4180/\"
page = r.urlopen(base).read().decode()
files = re.findall(r\"(?:src|href)=.\\./([^\\\"]+)\", page)
assert files, page
for name in files: assert r.urlopen(base + name).read(), name"
  kill "$server"
fi
apt-get remove -y -qq -o Dpkg::Use-Pty=0 python3-unshade >/dev/null
test ! -e /usr/lib/python3/dist-packages/unshade'
step "README.md and docs/start.md"
in_root 'cd /source; python3 tests/docs_test.py /usr/bin/unshade .'
echo "all packages work"
