# shellcheck shell=bash
# Sourced by ./raceproof and ./test: makes sure that everything needed to build is there.
# On Debian it installs what is missing, as root or with a sudo that asks for no password; elsewhere, or where it may
# not, it says exactly what to install.

# The oldest Rust that builds raceproof.
rust_needed=1.88

say() { printf '%s\n' "raceproof: $*" >&2; }
fail() { say "$@"; exit 2; }

# Debian packages out of the given ones that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
    done
}

# Sets `as_root` to what makes a command run as root; fails where nothing does.
find_root() {
    as_root=""
    [ "$(id -u)" -eq 0 ] && return
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
    as_root="sudo -n"
}

# install PACKAGE...: quietly; the output is shown only if it fails.
install_packages() {
    local command="apt-get install -y --no-install-recommends $*" log
    if ! find_root; then
        say "these packages are missing: $*"
        fail "install them with: sudo $command"
    fi
    say "installing $*"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    if ! { $as_root $command || { $as_root apt-get update && $as_root $command; }; } </dev/null >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        say "the packages could not be installed; try it yourself: sudo apt-get update && sudo $command"
        fail "if your system has no such packages, see https://apt.llvm.org"
    fi
    rm -f "$log"
}

# Whether apt offers a package; a fresh system has to fetch its lists first.
offers() {
    apt-cache show "$1" >/dev/null 2>&1 && return
    find_root && $as_root apt-get update >/dev/null 2>&1 && apt-cache show "$1" >/dev/null 2>&1
}

find_cargo() {
    if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then
        export PATH="$HOME/.cargo/bin:$PATH"
    fi
    command -v cargo >/dev/null && command -v rustc >/dev/null
}

# Whether the installed rustc is at least $rust_needed.
rust_is_new_enough() {
    local found
    found=$(rustc --version | cut -d' ' -f2)
    [ "$(printf '%s\n%s\n' "$rust_needed" "${found%%-*}" | sort -V | head -n1)" = "$rust_needed" ]
}

how_to_install_rust() {
    say "install it with:  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
    fail "then run this command again"
}

# prepare run|test: what it takes to build, or also what only the tests need.
prepare() {
    local packages=(build-essential clang-19 llvm-19-dev libomp-19-dev) missing
    if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
        # Headers for programs that are compiled with -m32.
        [ "${HOSTTYPE:-}" = x86_64 ] && packages+=(gcc-multilib g++-multilib)
        # The sanitizers, under which the models are tested.
        [ "$1" = test ] && packages+=(libclang-rt-19-dev)
        if ! find_cargo && offers cargo-web; then
            # A current Rust under another name, for browsers; Debian 12's own `cargo` is too old.
            packages+=(cargo-web rustc-web ca-certificates)
            [ "$1" = test ] && packages+=(rustfmt-web rust-web-clippy)
        fi
        missing=$(missing_packages "${packages[@]}")
        # shellcheck disable=SC2086
        [ -z "$missing" ] || install_packages $missing
    else
        command -v cc >/dev/null || fail "a C compiler is needed (cc)"
        command -v clang-19 >/dev/null || fail "clang 19 is needed, under the name clang-19"
        command -v llvm-config-19 >/dev/null || [ -n "${LLVM_SYS_191_PREFIX:-}" ] ||
            fail "LLVM 19 with its headers is needed; set LLVM_SYS_191_PREFIX to where it is installed"
    fi
    if ! find_cargo; then
        say "Rust $rust_needed or newer is needed, and there is no cargo"
        how_to_install_rust
    fi
    if ! rust_is_new_enough; then
        say "Rust $rust_needed or newer is needed, found $(rustc --version)"
        command -v rustup >/dev/null && fail "update it with: rustup update stable"
        how_to_install_rust
    fi
}

# quietly LABEL COMMAND...: runs the command and shows its output only if it fails.
quietly() {
    local log label=$1
    shift
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        say "$label failed"
        return 1
    fi
    rm -f "$log"
}
