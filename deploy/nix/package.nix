# SPDX-License-Identifier: GPL-2.0-only
#
# mpu for Nix, of this tree: `pkgs.callPackage ./deploy/nix/package.nix { }`. Its libraries are the
# store's, not linked statically; mpu.ko is built by `make module KDIR=DIR` for the system's kernel.
{ lib, stdenv, pkg-config, bpftools, llvmPackages, cmocka, json_c, libbpf, libelf, libmicrohttpd
, libseccomp, libyaml, ncurses, sqlite, util-linux, zlib }:

stdenv.mkDerivation {
  pname = "mpu";
  version = lib.fileContents ../../VERSION;
  src = lib.cleanSource ../..;

  nativeBuildInputs = [ pkg-config bpftools llvmPackages.clang-unwrapped ];
  buildInputs = [ json_c libbpf libelf libmicrohttpd libyaml ncurses sqlite zlib ];
  nativeCheckInputs = [ util-linux ];
  checkInputs = [ cmocka libseccomp ];

  makeFlags = [ "STATIC=" "WERROR=" "PREFIX=$(out)" "UDEVDIR=$(out)/lib/udev" ];
  buildFlags = [ "mpu" ];
  doCheck = true;
  checkTarget = "check-build";
  # DESTDIR: files alone, nothing of the machine is told.
  installPhase = ''
    make install STATIC= WERROR= MODULE=no DESTDIR=/ PREFIX=$out UDEVDIR=$out/lib/udev
  '';

  meta = {
    description = "Containers see their own GPU processes";
    license = with lib.licenses; [ gpl2Only mit ];
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "mpu";
  };
}
