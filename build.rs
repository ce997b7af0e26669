//! What a program for Windows carries: icon, version, manifest. For other systems there is nothing to do.

const ICON: &str = "assets/icon/lunette.ico";
const MANIFEST: &str = "assets/windows/lunette.manifest";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
