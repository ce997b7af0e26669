//! What a program for Windows carries: icon, version, manifest. For Linux: packed relocations.

use std::env;
use std::process::Command;

const ICON: &str = "assets/icon/lunette.ico";
const MANIFEST: &str = "assets/windows/lunette.manifest";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={ICON}");
    println!("cargo::rerun-if-changed={MANIFEST}");
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => carry_resources(),
        Ok("linux") => pack_relocations(),
        _ => {}
    }
}

fn carry_resources() {
    // Name and version come from Cargo.toml.
    let compiled = winresource::WindowsResource::new()
        .set_icon(ICON)
        .set_manifest_file(MANIFEST)
        .set("LegalCopyright", "Copyright (c) 2026 The Lunette authors")
        .compile();
    if let Err(error) = compiled {
        println!("cargo::warning=the program has no icon and no manifest: {error}");
    }
}

/// Packs the relocations, 25 kB instead of 2.3 MB that each start reads. glibc can load them from version 2.36 on; they are
/// not packed where the program is built with an older one, or for another system.
fn pack_relocations() {
    let target = env::var("TARGET").unwrap_or_default();
    let is_host = env::var("HOST").is_ok_and(|host| host == target);
    if target == "x86_64-unknown-linux-gnu" && is_host && glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Returns the version of this machine's glibc.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
