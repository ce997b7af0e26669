//! What names say: hints of clients, whole file names, extensions, shebangs.

use std::collections::HashMap;
use std::sync::LazyLock;

use lunette_client::model::language::{LANGUAGES, language};

/// Extensions that the list of languages does not have itself: the language, then its extensions.
const EXTENSIONS: &str = "
cpp: c++ tpp tcc cu cuh
hpp: h++
ts: mts cts d.ts
mjs: cjs es6
json: jsonc json5 geojson webmanifest har topojson avsc code-workspace ndjson jsonl
xml: plist xib storyboard nuspec resx wsdl xmp kml gpx atom iml vcxitems config
html: astro xht
hljs-handlebars: hbs mustache
hljs-erb: erb html.erb js.erb
hljs-haml: haml
hljs-twig: twig html.twig
hljs-django: j2 jinja jinja2 njk liquid
hljs-less: less
hljs-stylus: styl
scss: sass
md: mdx rmd qmd mkd mkdn
txt: rst org textile me readme lst nfo srt vtt asc pem crt cer pub po pot graphql gql pug proto3
csv: tsv tab psv
hljs-asciidoc: adoc asciidoc
ini: cfg conf cnf inf reg desktop service socket timer editorconfig gitconfig npmrc directory
hljs-properties: properties env
hljs-apache: htaccess
hljs-nginx: nginx nginxconf
hljs-diff: diff patch rej
hljs-makefile: mk mak make just
hljs-cmake: cmake cmake.in
hljs-gradle: gradle
kt: kts gradle.kts
groovy: gvy jenkinsfile
clj: cljs cljc edn bb
ex: eex leex heex
hs: lhs
ml: mli mll mly
rkt: rktl
lisp: lsp cl
scm: ss sld
fsx: fsscript
tf: tfvars
ps1: psm1 psd1
sh: ksh csh tcsh fish command bats
bash: bash_profile
hljs-vim: vim vimrc
hljs-tcl: tcl tk
hljs-awk: awk gawk
hljs-x86asm: asm nasm s
hljs-llvm: ll
hljs-protobuf: proto
hljs-thrift: thrift
hljs-capnproto: capnp
hljs-verilog: v vh
sv: svh
vhdl: vhd
hljs-d: d di
hljs-crystal: cr
hljs-nix: nix
hljs-nimrod: nim nims nimble
hljs-lua: luau
hljs-vbnet: vb
hljs-vbscript: vbs
hljs-fortran: f for f77 ftn
hljs-delphi: dpr dfm
hljs-puppet: pp
hljs-prolog: pro prolog
hljs-arduino: ino
hljs-processing: pde
hljs-actionscript: as
hljs-applescript: applescript
hljs-autohotkey: ahk
hljs-autoit: au3
hljs-basic: bas
hljs-brainfuck: bf
hljs-haxe: hx
hljs-http: http rest
hljs-ldif: ldif
hljs-livescript: ls
hljs-moonscript: moon
hljs-nsis: nsi nsh
hljs-openscad: scad
hljs-qml: qml
hljs-reasonml: re rei
hljs-sas: sas
hljs-scilab: sci sce
hljs-smali: smali
hljs-smalltalk: st
hljs-sml: sml sig
hljs-stan: stan
hljs-stata: do ado
hljs-step21: stp step
hljs-tap: tap
hljs-vala: vala vapi
hljs-xquery: xq xqy xquery
hljs-dts: dts dtsi
hljs-gcode: gcode
hljs-gherkin: gherkin
hljs-bnf: bnf
hljs-abnf: abnf
hljs-ebnf: ebnf
hljs-pgsql: pgsql psql
sql: mysql sqlite hql
sparql: rq
php: blade.php inc module
rb: ru erbsql
py: pyt sage star
r: rprofile
tex: latex tikz bib bst
gz: tgz tar.gz
zip: apk ipa xpi crx epub odt ods odp aar war ear whl nupkg vsix
bin: dat o a so dll dylib lib obj ttf otf ttc iso img 7z rar xz bz2 zst tar deb db sqlite3 wal pack idx
qt: mov
mp4: m4v
mp4a: m4a aac
oga: opus flac
jpg: jfif";

/// File names that say it without an extension, in lower case: the language, then its names.
const NAMES: &str = "
hljs-makefile: makefile gnumakefile bsdmakefile makefile.am makefile.in kbuild justfile
dockerfile: dockerfile containerfile
hljs-cmake: cmakelists.txt cmakecache.txt
groovy: jenkinsfile
rb: config.ru .irbrc .pryrc
bazel: build.bazel workspace.bazel module.bazel
smk: snakefile
py: sconstruct sconscript .pythonrc
wscript: wscript
json: pipfile.lock composer.lock flake.lock package-lock.json .babelrc .eslintrc .prettierrc .swcrc .jshintrc .watchmanconfig
yaml: .clang-format .clang-tidy .gemrc pubspec.lock podfile.lock yarn.lock
toml: uv.lock pdm.lock
ini: .editorconfig .gitconfig .gitmodules .npmrc .pylintrc .coveragerc .flake8 .hgrc .pypirc
hljs-properties: .env .env.local .env.example .env.sample .envrc
hljs-apache: .htaccess
hljs-nginx: nginx.conf
hljs-vim: .vimrc .gvimrc .exrc
el: .emacs
bashrc: .bashrc
r: .rprofile
capfile: capfile
txt: .gitignore .gitattributes .dockerignore .ignore .npmignore .mailmap go.sum codeowners kconfig";

/// Interpreters of shebangs, without version numbers.
const INTERPRETERS: &str = "
sh: sh bash ksh dash fish csh tcsh busybox
ash: ash
zsh: zsh
py: python pypy
rb: ruby jruby
pl: perl
js: node nodejs qjs
ts: deno bun tsx ts-node
php: php
lua: lua luajit
escript: escript
r: rscript
groovy: groovy
scala: scala
ps1: pwsh powershell
hljs-awk: awk gawk mawk
hljs-tcl: tclsh wish
hljs-makefile: make
exs: elixir
swift: swift
jl: julia
hs: runhaskell runghc stack
clj: bb clojure
rs: rust-script
sbt: sbt";

static BY_EXTENSION: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let own = LANGUAGES.iter().filter(|language| language.emitted && may_be_extension(language.specific));
    own.map(|language| (language.specific, language.specific)).chain(pairs(EXTENSIONS)).collect()
});
static BY_NAME: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| pairs(NAMES).collect());
static BY_INTERPRETER: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| pairs(INTERPRETERS).collect());

fn pairs(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table
        .lines()
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(specific, keys)| keys.split(' ').map(move |key| (key, specific)))
}

/// Whether a value of the list is an extension, and not a file name or the name of a class.
fn may_be_extension(specific: &str) -> bool {
    specific.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && !specific.contains('_')
        && !specific.starts_with("hljs-")
}

/// Whether a value of the list is the name of a file, as `Cargo.lock` and `.zshrc` are.
fn is_file_name(specific: &str) -> bool {
    let named = specific.starts_with('.')
        || specific.contains(".lock")
        || specific.starts_with(|c: char| c.is_ascii_uppercase());
    named && specific != "UNKNOWN"
}

/// The language a client says it is: a value of the list, or an extension; None for what says nothing.
pub(super) fn by_hint(hint: &str) -> Option<&'static str> {
    let hint = hint.trim();
    let listed = language(hint).filter(|language| language.emitted && language.specific != "UNKNOWN");
    listed.map(|language| language.specific).or_else(|| by_extension(hint.trim_start_matches('.')))
}

/// The language by a file name, with or without folders.
pub(super) fn by_name(name: &str) -> Option<&'static str> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).trim();
    // Longer than file names are: a text given as name.
    if file.len() > 255 {
        return None;
    }
    let lower = file.to_lowercase();
    let listed = language(file).filter(|language| language.emitted && is_file_name(language.specific));
    if let Some(listed) = listed {
        return Some(listed.specific);
    }
    if let Some(known) = BY_NAME.get(lower.as_str()) {
        return Some(known);
    }
    if lower.starts_with("dockerfile.") || lower.starts_with("containerfile.") {
        return Some("dockerfile");
    }
    // In capitals only: these are ordinary words.
    if matches!(file, "BUILD" | "WORKSPACE") {
        return Some("bazel");
    }
    if matches!(file.rsplit_once('.'), Some((_, "C"))) {
        return Some("cpp");
    }
    // The longest extension that is known: `x.html.erb` before `erb`.
    let mut rest = lower.trim_end_matches('~');
    while let Some((_, extension)) = rest.split_once('.') {
        if let Some(known) = by_extension(extension) {
            return Some(known);
        }
        rest = extension;
    }
    None
}

fn by_extension(extension: &str) -> Option<&'static str> {
    BY_EXTENSION.get(extension).or_else(|| BY_EXTENSION.get(extension.to_lowercase().as_str())).copied()
}

/// The language by a first line such as `#!/usr/bin/env -S python3 -u`.
pub(super) fn by_shebang(text: &str) -> Option<&'static str> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let program = |word: &str| word.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let mut words = line.split_whitespace();
    let mut interpreter = program(words.next()?);
    if interpreter == "env" {
        interpreter = program(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
    }
    let plain = interpreter.trim_end_matches(".exe").trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    BY_INTERPRETER.get(plain).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_names_languages_that_may_be_returned() {
        for (key, specific) in pairs(EXTENSIONS).chain(pairs(NAMES)).chain(pairs(INTERPRETERS)) {
            let known = language(specific).is_some_and(|language| language.emitted);
            assert!(known && key == key.to_lowercase() && !key.is_empty(), "{key}: {specific}");
        }
    }
}
