#!/usr/bin/env bash
# Fetches the sources of the libraries that unshade-files.wasm is made of, those of this machine's Debian release: scripts/web_sources.sh FOLDER
# Does nothing if they are there. apt checks the signatures; what apt knows of this machine stays as it is. scripts/bootstrap.sh web installs what it needs.
set -euo pipefail

folder=$(realpath -m "$1")
sources=(bzip2 libarchive libzstd lz4 sqlite3 xz-utils zlib)
[ -e "$folder/complete" ] && exit 0

# Fetches them from the archives that packages come from: from all, or from those with a label.
fetch() {
  rm -rf "$folder"
  mkdir -p "$folder/apt/parts" "$folder/apt/lists/partial"
  apt-get indextargets --format "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' "$1" | sort -u >"$folder/apt/parts/sources.list"
  if [ ! -s "$folder/apt/parts/sources.list" ]; then
    echo "apt knows no archive of Debian: apt-get update" >&2
    exit 2
  fi
  cd "$folder"
  local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$folder/apt/parts" -o "Dir::State::lists=$folder/apt/lists"
    -o APT::Sandbox::User=)
  "${apt[@]}" update && "${apt[@]}" source "${sources[@]}" >/dev/null
}
# Mirrors of updates may lack sources.
fetch 'Origin: Debian' || fetch 'Label: Debian'
for source in "${sources[@]}"; do
  mv "$source"-[0-9]*/ "$source"
done

# SQLite as one file
mkdir sqlite3/made
cd sqlite3/made
CC=clang-19 ../configure --quiet --disable-tcl --disable-readline >/dev/null
make -s sqlite3.c >/dev/null
cd "$folder"
rm -rf apt ./*.tar.* ./*.dsc
touch complete
