#!/usr/bin/env bash
# Write the digest that each image's tag has now into compose.yaml and the Dockerfile. To take a newer
# version, change the tag there first. Needs docker with buildx, or skopeo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

find_digest() {
    if docker buildx version >/dev/null 2>&1; then
        docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}'
    elif command -v skopeo >/dev/null; then
        skopeo inspect --no-tags --format '{{.Digest}}' "docker://docker.io/library/$1"
    else
        echo "Install docker with buildx, or skopeo: the digest of $1 is asked of the registry." >&2
        return 1
    fi
}

for file in compose.yaml Dockerfile; do
    for tag in $(sed -nE 's/^ *(image:|FROM) ([a-z]+:[^@ ]+).*/\2/p' "$file"); do
        digest=$(find_digest "$tag")
        if [[ ! $digest =~ ^sha256:[0-9a-f]{64}$ ]]; then
            echo "The registry's answer for $tag is no digest: $digest" >&2
            exit 1
        fi
        sed -i -E "s|(image:\|FROM) ${tag//./\\.}(@sha256:[0-9a-f]+)?\$|\1 $tag@$digest|" "$file"
        echo "$tag@$digest"
    done
done
