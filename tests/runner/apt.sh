# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# A private apt for tests: packages of any Debian suite, without touching the
# machine's own apt. To be sourced; shared by tests/runner/fetch and those who want a
# whole installation.
#
#	. tests/runner/apt.sh
#	apt_open "main non-free" trixie trixie-backports
#	apt_do apt-get -qq download nvidia-smi
#
# Every set of suites and components has its own state below the cache, with
# an empty dpkg status: "apt-get install --download-only --no-install-recommends"
# resolves dependencies as on an empty machine.

APT_CACHE=${MPU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mpu}
APT_KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

# apt_die SENTENCE: the one way out.
apt_die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# apt_mirror NAME: address of the Debian archive (debian, debian-security) that
# this machine's own apt is configured to use.
apt_mirror()
{
	env -u APT_CONFIG apt-get indextargets \
		--format "\$(REPO_URI)" 'Created-By: Packages' 2>/dev/null |
		sed -n "s|/$1/*\$|/$1|p" | head -n 1
}

# apt_source SUITE COMPONENTS: the sources.list line of one suite.
apt_source()
{
	case $1 in
	*-security) uri=$(apt_mirror debian-security) ;;
	*) uri=$(apt_mirror debian) ;;
	esac
	test -n "$uri" || apt_die "no mirror for $1 among this machine's apt" \
		"sources: add a Debian one (see sources.list(5))"
	echo "${APT_KIND:-deb} [signed-by=$APT_KEYS] $uri $1 $2"
}

# apt_do COMMAND...: run an apt program in the state last opened.
apt_do()
{
	APT_CONFIG=$APT_STATE/apt.conf "$@"
}

# apt_open COMPONENTS SUITE...: make, and refresh once a day, the state of these
# suites taken together; apt_do works in it from now on. APT_ARCH: for another
# architecture than this machine's. APT_KIND=deb-src: of source packages.
apt_open()
{
	components=$1
	shift
	test "${APT_ARCH:-}" != "$(dpkg --print-architecture)" || APT_ARCH=
	test -r "$APT_KEYS" || apt_die "no $APT_KEYS:" \
		"install debian-archive-keyring"
	APT_STATE="$* $components${APT_ARCH:+ $APT_ARCH}${APT_KIND:+ $APT_KIND}"
	APT_STATE=$APT_CACHE/apt/$(echo "$APT_STATE" | tr ' ' +)
	mkdir -p "$APT_STATE/lists/partial" "$APT_STATE/archives/partial" \
		"$APT_STATE/parts"
	: >"$APT_STATE/status"
	# The mirror may be a snapshot whose Release has expired: its signature
	# still counts, its date does not.
	cat >"$APT_STATE/apt.conf.$$" <<-END
	Dir::State "$APT_STATE";
	Dir::State::status "$APT_STATE/status";
	Dir::Cache "$APT_STATE";
	Dir::Etc::sourcelist "$APT_STATE/sources.list";
	Dir::Etc::sourceparts "$APT_STATE/parts";
	Dir::Etc::preferencesparts "$APT_STATE/parts";
	Acquire::Check-Valid-Until "false";
	Acquire::Check-Date "false";
	Acquire::Languages "none";
	APT::Install-Recommends "false";
	APT::Sandbox::User "";
	END
	test -z "${APT_ARCH:-}" || cat >>"$APT_STATE/apt.conf.$$" <<-END
	APT::Architecture "$APT_ARCH";
	APT::Architectures "$APT_ARCH";
	END
	mv "$APT_STATE/apt.conf.$$" "$APT_STATE/apt.conf"	# others read it
	for suite; do
		apt_source "$suite" "$components"
	done >"$APT_STATE/sources.list.$$"
	(
		flock 9		# another test may be opening the same state
		apt_refresh "$*"
	) 9>"$APT_STATE/lock"
}

# apt_refresh SUITES: the part of apt_open that one process does at a time.
apt_refresh()
{
	if cmp -s "$APT_STATE/sources.list.$$" "$APT_STATE/sources.list" &&
	   test -n "$(find "$APT_STATE/fresh" -mmin -1440 2>/dev/null)"; then
		rm "$APT_STATE/sources.list.$$"
		return 0
	fi
	mv "$APT_STATE/sources.list.$$" "$APT_STATE/sources.list"
	apt_do apt-get -qq -o APT::Update::Error-Mode=any update ||
		apt_die "apt-get update failed for $1:" \
			"see above, and $APT_STATE/sources.list"
	: >"$APT_STATE/fresh"
}

# apt_version PACKAGE ERE: its newest version like that in the state last opened; 1
# if there is none. Packages change suites and versions, so this is asked for,
# never assumed.
apt_version()
{
	apt_do apt-cache madison "$1" |
		LIKE="^$2\$" awk '$3 ~ ENVIRON["LIKE"] { print $3; found = 1; exit }
			END { exit !found }'
}

# apt_download PACKAGE VERSION DIR: its .deb into that folder.
apt_download()
{
	(cd "$3" && apt_do apt-get -qq download "$1=$2") ||
		apt_die "cannot download $1 $2: see above"
}

# apt_later ROOT SUITE LATER PACKAGE...: an installation of SUITE gets these as LATER has them
apt_later()
{
	root=$1 suite=$2 later=$3
	shift 3
	apt_open main "$suite" "$later"
	DEBIAN_FRONTEND=noninteractive apt_do flock "$APT_STATE/lock" apt-get -qq -y \
		--target-release "$later" -o Dir::State::status="$root/var/lib/dpkg/status" \
		-o DPkg::Options::=--root="$root" install "$@" </dev/null
}

# apt_root SUITE TAR [PACKAGE,... [LATER PACKAGE...]]: a Debian installation as debootstrap
# leaves it, with these besides, and some as another suite has them, as a file, made once
# a day at most, or when they are others. A shell of its own: its variables are no caller's.
apt_root()
(
	from=$1 tar=$2
	shift 2
	if test "$*" = "$(cat "$tar.packages" 2>/dev/null)" &&
	   test -n "$(find "$tar" -mmin -1440 2>/dev/null)"; then
		exit 0
	fi
	wanted=$*
	uri=$(apt_mirror debian)
	test -n "$uri" || apt_die "no Debian mirror among this machine's sources"
	mkdir -p "${tar%/*}"
	new=$(mktemp -d "$tar.XXXXXX")
	trap 'rm -rf --one-file-system "$new"' EXIT
	debootstrap --variant=minbase --keyring="$APT_KEYS" \
		${1:+--include="$1"} "$from" "$new/root" "$uri" >"$new/log" 2>&1 || {
		tail -n 20 "$new/log" "$new/root/debootstrap/debootstrap.log"
		gone=$(sed -n "s/^E: Couldn't find these debs: //p" "$new/log")
		test -z "$gone" || apt_die "Debian's $from on this mirror has no package $gone:" \
			"where did it go?"
		apt_die "debootstrap failed for $from: see above"
	}
	test $# -lt 2 || {
		shift
		apt_later "$new/root" "$from" "$@"
	} >"$new/log" 2>&1 || {
		tail -n 20 "$new/log"
		apt_die "cannot install what the first of these suites has: $*: see above"
	}
	tar -C "$new/root" -cf "$new/tar" .
	mv "$new/tar" "$tar"
	echo "$wanted" >"$tar.packages"
)
