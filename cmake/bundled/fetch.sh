#!/usr/bin/env bash
# Fetches the sources of libraries, those of this machine's Debian release: cmake/bundled/fetch.sh FOLDER web|windows
# Each goes into FOLDER/PACKAGE; those that are there are kept. apt checks the signatures; what apt knows of this machine stays as it is. It needs dpkg-dev, and
# for sqlite3 make and tclsh (scripts/bootstrap.sh web or windows installs them). cmake/bundled_libraries.cmake compiles them.
set -euo pipefail

folder=$(realpath -m "$1")
wanted=(bzip2 libarchive libzstd lz4 pcre2 sqlite3 xz-utils zlib)
if [ "$2" = windows ]; then wanted+=(libpng1.6 libyaml); fi
sources=()
for source in "${wanted[@]}"; do
  [ -e "$folder/$source" ] || sources+=("$source")
done
[ ${#sources[@]} -eq 0 ] && exit 0
fetched=$folder/fetched

# Fetches them from the archives that packages come from: from all, or from those with a label.
fetch() {
  rm -rf "$fetched"
  mkdir -p "$fetched/apt/parts" "$fetched/apt/lists/partial"
  apt-get indextargets --format "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' "$1" | sort -u >"$fetched/apt/parts/sources.list"
  if [ ! -s "$fetched/apt/parts/sources.list" ]; then
    echo "apt knows no archive of Debian: apt-get update" >&2
    exit 2
  fi
  cd "$fetched"
  local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$fetched/apt/parts" -o "Dir::State::lists=$fetched/apt/lists"
    -o APT::Sandbox::User=)
  "${apt[@]}" update && "${apt[@]}" source "${sources[@]}" >/dev/null
}
# Mirrors of updates may lack sources: what apt says of these is told only if the release's own are missing too.
mkdir -p "$folder"
fetch 'Origin: Debian' 2>"$folder/messages" || fetch 'Label: Debian' || { cat "$folder/messages" >&2; exit 1; }
rm "$folder/messages"

for source in "${sources[@]}"; do
  mv "$source"-[0-9]*/ "$source"
  if [ "$source" = sqlite3 ]; then
    # As one file. What configure tries to compile is not looked at.
    mkdir sqlite3/made
    cd sqlite3/made
    CC=$(command -v gcc || command -v clang-19) ../configure --quiet --disable-tcl --disable-readline >/dev/null
    make -s sqlite3.c >/dev/null
    cd "$fetched"
  fi
  mv "$source" "$folder/$source"
done
rm -rf "$fetched"
