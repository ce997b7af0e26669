//! What a Windows program carries: icon, version, manifest. Elsewhere there is nothing to do, and nothing is compiled
//! for it.
//!
//! The tool for it is a dependency of Windows machines only; one that is built for Windows on another machine has none
//! of these.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(windows)]
    resources();
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
