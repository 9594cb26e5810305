#!/bin/sh
# Installs MIME types and a thumbnailer, so that file managers show thumbnails of models (GNOME Files, Thunar, Nemo, Caja, PCManFM).
#
#   packaging/linux/install.sh              for this user, under ~/.local
#   sudo packaging/linux/install.sh /usr    for all users
#   packaging/linux/install.sh --remove [PREFIX]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
remove=
if [ "${1:-}" = --remove ]; then
    remove=1
    shift
fi
prefix=${1:-$HOME/.local}
types=$prefix/share/mime/packages/meshwright.xml
entry=$prefix/share/thumbnailers/meshwright.thumbnailer

if [ -n "$remove" ]; then
    rm -f "$types" "$entry"
else
    program=$(command -v meshwright) || {
        echo "meshwright is not on the PATH: copy the program to a folder on the PATH, or run \`cargo install --path crates/cli\`" >&2
        exit 1
    }
    mkdir -p "$(dirname "$types")" "$(dirname "$entry")"
    cp "$here/meshwright.xml" "$types"
    # The PATH of file managers may differ from that of the shell.
    sed -e "s#^TryExec=meshwright#TryExec=$program#" -e "s#^Exec=meshwright#Exec=$program#" \
        "$here/meshwright.thumbnailer" > "$entry"
fi
if command -v update-mime-database > /dev/null; then
    update-mime-database "$prefix/share/mime"
fi
# File managers remember failed thumbnails: delete that list.
rm -rf "${XDG_CACHE_HOME:-$HOME/.cache}"/thumbnails/fail/gnome-thumbnail-factory
if [ -n "$remove" ]; then
    echo "removed from $prefix"
else
    echo "installed under $prefix; restart the file manager to see thumbnails of models"
fi
