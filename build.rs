//! What the linker adds to the program.
//!
//! On Linux with a C library that reads them (glibc 2.36), relocations are packed, which saves 2 MB. A Windows program
//! carries icon, version and manifest; the tool for these is a dependency of Windows machines only, and a program that
//! is built for Windows on another machine has none of them.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if reads_packed_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    #[cfg(windows)]
    resources();
}

/// Returns whether programs of the target can have packed relocations: this machine is its like, and has a C library
/// that reads them.
fn reads_packed_relocations() -> bool {
    let variable = |name| std::env::var(name).unwrap_or_default();
    if variable("HOST") != variable("TARGET") || variable("CARGO_CFG_TARGET_ENV") != "gnu" || cfg!(windows) {
        return false;
    }
    let Ok(answer) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let answer = String::from_utf8_lossy(&answer.stdout);
    let version = answer.trim().rsplit(' ').next().and_then(|version| version.split_once('.'));
    version.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?))) >= Some((2_u32, 36_u32))
}

#[cfg(windows)]
fn resources() {
    const ICON: &str = "assets/icon/lunette.ico";
    const MANIFEST: &str = "assets/windows/lunette.manifest";
    println!("cargo::rerun-if-changed={ICON}");
    println!("cargo::rerun-if-changed={MANIFEST}");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("windows") {
        return;
    }
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
