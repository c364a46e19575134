#!/usr/bin/env bash
# Makes the pictures of the book in docs/images from the page of `raceproof check docs/examples/tickets.c`.
# Usage: scripts/screenshots.sh [RACEPROOF]; needs chromium. pngquant makes the files smaller where it is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
raceproof=${1:-./raceproof}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The check finds races, which is exit code 1.
"$raceproof" check docs/examples/tickets.c --html "$scratch/light.html" --quiet || [ $? -eq 1 ]
# One race alone, and in dark colours: as for a reader who has come to it, and who asks the system for dark. The style sheet then
# has another hash, so the policy goes.
sed -e '/Content-Security-Policy/d' -e 's|</style>|header, footer, main > :not(#race-1) { display: none }</style>|' \
    "$scratch/light.html" > "$scratch/race.html"
sed -e 's/@media (prefers-color-scheme: dark)/@media screen/' "$scratch/race.html" > "$scratch/dark.html"

# picture NAME PAGE WIDTH HEIGHT
picture() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" \
        --window-size="$3,$4" --screenshot="$scratch/$1.png" "file://$scratch/$2" > "$scratch/chromium.log" 2>&1
    if command -v pngquant > "$scratch/which.log"; then
        pngquant --force --speed 1 --output "docs/images/$1.png" 64 "$scratch/$1.png"
    else
        cp "$scratch/$1.png" "docs/images/$1.png"
    fi
}

mkdir -p docs/images
picture report-light light.html 1000 800
picture report-race race.html 1000 960
picture report-dark dark.html 1000 960
picture report-narrow race.html 420 1150
ls -l docs/images
