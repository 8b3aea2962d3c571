#!/usr/bin/env bash
# Unpacks a program and the libraries that it needs from Debian packages into a folder of its own.
#
#   install-debian.sh PACKAGE SUITE FOLDER PROGRAM     PROGRAM is a path inside the package, or `-`
#
# PACKAGE may name further packages behind the first one, separated by spaces.
#
# The program is made to find the libraries that it came with. `-` leaves the package as it is: programs in Go do not survive
# that, and need no more than the machine's C library.
#
# Nothing of the system's package manager changes: lists, caches and the status file are the folder's. The archive is the
# one that this machine is configured for. A second call with the same arguments does nothing.
set -euo pipefail

read -ra packages <<<"$1"
package=${packages[0]} suite=$2 folder=$3 program=$4
stamp=$folder/.installed
wanted="$1 $suite 1"
if [ -e "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$wanted" ]; then
  exit 0
fi

fail() { echo "install-debian.sh: $1" >&2; exit 1; }
command -v apt-get >/dev/null || fail "$package comes from Debian packages, and this machine has no apt-get"

# `--no-release-info`: an archive counts also before its lists were fetched.
archive=$(apt-get indextargets --no-release-info --format '$(SITE)|$(RELEASE)|$(CREATED_BY)' 2>/dev/null |
  awk -F'|' '$3 == "Packages" && $2 !~ /security|updates|backports/ && !found { found = $1 } END { print found }')
[ -n "$archive" ] || fail "no archive of Debian packages is configured"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
architecture=$(dpkg --print-architecture)

rm -rf "$folder" "$folder.part"
mkdir -p "$folder.part"
part=$(cd "$folder.part" && pwd)
final=$(dirname "$part")/$(basename "$folder")
state=$part/.apt
mkdir -p "$state"/{lists/partial,cache/archives/partial,preferences}
: > "$state/status"
echo "deb [arch=$architecture signed-by=$keyring] $archive $suite main" > "$state/sources.list"
options=(
  -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$state/preferences"
  -o Dir::State="$state" -o Dir::State::lists="$state/lists" -o Dir::State::status="$state/status"
  -o Dir::Cache="$state/cache" -o APT::Architecture="$architecture" -o APT::Install-Recommends=0
  -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o APT::Update::Post-Invoke= -o DPkg::Post-Invoke=
  -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=3
)
apt-get "${options[@]}" -qq update
apt-get "${options[@]}" -qq -y --download-only install "${packages[@]}" patchelf >/dev/null
for archived in "$state"/cache/archives/*.deb; do
  dpkg-deb -x "$archived" "$part"
done
version=$(dpkg-deb -f "$state"/cache/archives/"${package}"_*.deb Version)

# The program finds its own C library, and still is the process's executable: editors start themselves again.
if [ "$program" != - ]; then
  library=$(echo "$part"/usr/lib/*-linux-gnu)
  loader=$(basename "$(echo "$library"/ld-linux-*.so.*)")
  final_library=$final/usr/lib/$(basename "$library")
  patchelf() { "$library/$loader" --library-path "$library" "$part/usr/bin/patchelf" "$@"; }
  # Some libraries name a folder of the system for their own parts: it becomes one of ours.
  search=$final_library
  while IFS= read -r object; do
    own=$(patchelf --print-rpath "$object" 2>/dev/null || true)
    case $own in
      /usr/lib/*) patchelf --remove-rpath "$object"; search=$search:$final/${own#/} ;;
    esac
  done < <(find "$library" -maxdepth 1 -name '*.so.*' -type f | sort)
  search=$(tr : '\n' <<<"$search" | awk '!seen[$0]++' | paste -s -d :)
  patchelf --set-interpreter "$final_library/$loader" --force-rpath --set-rpath "$search" "$part/$program"
fi

rm -rf "$state" "$part/usr/bin/patchelf" "$part"/usr/share/{doc,man,locale}
mv "$part" "$final"
printf '%s\n%s\n' "$wanted" "$package $version" > "$stamp"
