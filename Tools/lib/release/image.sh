# Makes the image; sourced behind debian.sh.

# pack_layer TREE OUT: makes the layer with our programs and their documents: an image has no manual pages and no systemd.
pack_layer() {
    python3 "$release_files/image.py" layer "$1" "$2" "$epoch" "$layer_level" --without etc --without usr/lib --without usr/share/man \
        --without usr/share/bash-completion --without usr/share/zsh --without usr/share/fish
}

# make_image BASE TREE OUT: makes an image of an archive with a Debian and what stage_files filled.
make_image() {
    local base=$1 tree=$2 out=$3 layers="$3.layers"
    mkdir "$layers"
    python3 "$release_files/image.py" pressed "$base" "$layers/base.tar.gz" "$layer_level"
    pack_layer "$tree" "$layers/daybook.tar.gz"
    python3 "$release_files/image.py" layout "$out" "$epoch" "$image_version" "$commit" "$(dpkg --print-architecture)" \
        "$layers/base.tar.gz" "$layers/daybook.tar.gz"
    rm -rf "$layers"
}
