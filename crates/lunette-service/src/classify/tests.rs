//! Snippets of every language we know without a name, and names, and anything at all.

use proptest::prelude::*;

use super::*;

mod samples;

fn nameless(text: &str) -> &'static str {
    classify(None, None, Content::Text(text)).specific
}

fn named(name: &str) -> &'static str {
    classify(Some(name), None, Content::Text("some words")).specific
}

/// What each snippet is, with the snippet.
const SNIPPETS: &[(&str, &str)] = &[
    ("json", "{\n  \"name\": \"lens\",\n  \"grade\": [1, 2.5, null]\n}"),
    ("json", "[]"),
    ("xml", "<?xml version=\"1.0\"?>\n<feed><entry id=\"1\"/></feed>"),
    ("xml", "<note>\n  <to>Ada</to>\n</note>"),
    ("svg", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>"),
    ("html", "<!DOCTYPE html>\n<html><body><p>Hello</p></body></html>"),
    ("html", "<div class=\"row\">\n  <span>1</span>\n</div>"),
    ("vue", "<template>\n  <p>{{ a }}</p>\n</template>\n<script>\nexport default {}\n</script>"),
    ("sql", "-- all\nSELECT name, count(*) FROM assets WHERE deleted IS NULL GROUP BY name;"),
    ("sql", "select id\nfrom users u\nleft join orders o on o.user_id = u.id\nwhere o.total > 10\norder by id;"),
    ("sql", "-- the places\nCREATE TABLE place (\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL\n);"),
    (
        "rs",
        "fn main() {\n    let mut sum = 0;\n    for n in 1..=10 {\n        sum += n;\n    }\n    println!(\"{sum}\");\n}",
    ),
    ("rs", "impl<T> Stack<T> {\n    pub fn push(&mut self, item: T) {\n        self.items.push(item);\n    }\n}"),
    (
        "rs",
        "use std::fs;\n\npub fn read(path: &str) -> Result<String, std::io::Error> {\n    fs::read_to_string(path)\n}",
    ),
    ("py", "def greet(name):\n    if name is None:\n        return \"hello\"\n    return f\"hello {name}\""),
    ("py", "import numpy as np\n\nx = np.zeros(3)\nfor i in range(3):\n    print(x[i])"),
    ("py", "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y"),
    ("js", "const add = (a, b) => {\n  return a + b;\n};\nconsole.log(add(1, 2));"),
    ("js", "function ready() {\n  document.querySelector('#a').addEventListener('click', () => alert(1));\n}"),
    ("js", "const fs = require('fs');\nmodule.exports = { read: (p) => fs.readFileSync(p) };"),
    (
        "ts",
        "interface User {\n  id: number;\n  name: string;\n}\n\nexport function name(user: User): string {\n  return user.name;\n}",
    ),
    (
        "ts",
        "type Id = string | number;\nconst ids: Id[] = [];\nexport const last = (): Id => ids[ids.length - 1];\nfunction f(a: string): void {}",
    ),
    ("go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hi\")\n}"),
    (
        "go",
        "func read(p string) ([]byte, error) {\n\tb, err := os.ReadFile(p)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn b, nil\n}",
    ),
    ("c", "#include <stdio.h>\n\nint main(void) {\n    printf(\"hi\\n\");\n    return 0;\n}"),
    (
        "c",
        "typedef struct node {\n    struct node *next;\n    char *name;\n} node;\nstatic void drop(node *n) { free(n->name); }",
    ),
    (
        "cpp",
        "#include <iostream>\n#include <vector>\n\nint main() {\n    std::vector<int> v{1, 2};\n    for (auto x : v) std::cout << x;\n}",
    ),
    ("cpp", "template <typename T>\nclass Box {\npublic:\n    explicit Box(T v) : v_(v) {}\nprivate:\n    T v_;\n};"),
    (
        "java",
        "import java.util.List;\n\npublic class Main {\n    public static void main(String[] args) {\n        System.out.println(\"hi\");\n    }\n}",
    ),
    ("java", "@Override\npublic String toString() {\n    return \"Point(\" + x + \")\";\n}\nprivate final int x;"),
    (
        "cs",
        "using System;\n\nnamespace Demo\n{\n    class Program\n    {\n        static void Main(string[] args) => Console.WriteLine(\"hi\");\n    }\n}",
    ),
    ("cs", "public class Person\n{\n    public string Name { get; set; }\n    public int Age { get; set; }\n}"),
    ("rb", "class Greeter\n  attr_reader :name\n  def initialize(name)\n    @name = name\n  end\nend"),
    ("rb", "[1, 2, 3].each do |n|\n  puts n * 2\nend"),
    ("php", "<?php\necho \"hi\";\n"),
    ("php", "foreach ($items as $key => $item) {\n    echo $item->name;\n    $this->count += 1;\n}"),
    ("sh", "set -e\nfor f in *.txt; do\n  echo \"$f\"\ndone"),
    ("sh", "cd /tmp && mkdir -p build\nif [ -z \"$1\" ]; then\n  exit 1\nfi"),
    ("css", "body {\n  margin: 0;\n  color: #333;\n}\n.card:hover { opacity: .8; }"),
    ("scss", "$amber: #e3a857;\n.card {\n  color: $amber;\n  &:hover { opacity: .8; }\n}"),
    ("yaml", "name: build\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ubuntu"),
    ("yaml", "---\n- name: one\n  size: 3\n- name: two\n  size: 4\n"),
    ("toml", "[package]\nname = \"lunette\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = { version = \"1\" }"),
    ("ini", "[core]\neditor = vim\npager = less\n[user]\nname = Ada"),
    ("md", "# Title\n\nSome words with [a link](https://example.org).\n\n- one\n- two"),
    ("md", "Intro.\n\n## How\n\n```sh\nls\n```\n"),
    ("hljs-diff", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"),
    ("dockerfile", "FROM debian:12\nRUN apt-get update\nCOPY . /app\nCMD [\"/app/run\"]"),
    ("hljs-makefile", "all: build\n\nbuild:\n\tcargo build\n"),
    (
        "kt",
        "data class User(val id: Int, val name: String)\n\nfun main() {\n    val users = listOf(User(1, \"a\"))\n    println(users)\n}",
    ),
    ("swift", "import SwiftUI\n\nstruct Card: View {\n    var body: some View { Text(\"hi\") }\n}"),
    (
        "lua",
        "local function greet(name)\n  if name == nil then\n    return 'hello'\n  end\n  return 'hello ' .. name\nend",
    ),
    (
        "ps1",
        "param([string]$Path)\nGet-ChildItem $Path | Where-Object { $_.Length -gt 1MB } | ForEach-Object { Write-Host $_.Name }",
    ),
    ("tex", "\\documentclass{article}\n\\begin{document}\nHello\n\\end{document}"),
    ("csv", "name,size,kind\na.txt,12,text\nb.png,900,image\nc.rs,77,code"),
    ("uniform_resource_locator", "https://www.rust-lang.org/learn?x=1"),
    ("py", "#!/usr/bin/env python3\nprint('x')"),
    ("sh", "#!/bin/bash -e\ntrue"),
    ("js", "#!/usr/bin/env -S node --no-warnings\nmain()"),
];

#[test]
fn snippets_without_a_name_are_classified() {
    let wrong: Vec<_> = SNIPPETS.iter().filter(|(specific, text)| nameless(text) != *specific).collect();
    let messages: Vec<_> =
        wrong.iter().map(|(specific, text)| format!("{specific} became {}: {text}", nameless(text))).collect();
    assert!(messages.is_empty(), "{}", messages.join("\n---\n"));
}

#[test]
fn prose_is_plain_text() {
    let texts = [
        "",
        "   \n\n",
        "hello",
        "Buy milk and bread.",
        "Dear Ada,\n\nlet me import what you asked for: the class begins at nine, and if it is late, return it then.\n\nYours,\nB.",
        "Select a place from the list where you want to go.",
        "The function of this class is public. Use it for the new type, do not delete it and end it then.",
        "- milk\n- bread\n- eggs",
        "1. one\n2. two",
        "Für die Übung: öffnen, lesen, schließen.",
        "日本語のテキストです。\n二行目。",
        "مرحبا بالعالم",
        "TODO: call the bank, then write to Tom; ask for the new card.",
        "from here to there, with love",
        "Note: this is one line",
        "E = mc^2",
        "error: something failed",
    ];
    for text in texts {
        assert_eq!(nameless(text), "txt", "{text:?}");
        assert_eq!(classify(None, None, Content::Text(text)).generic, "TEXT");
    }
}

#[test]
fn documents_are_plain_text_unless_they_have_markup() {
    let license = "Copyright (c) The authors.\n\nPermission is hereby granted to use, copy and modify this software;\n\
                   select the terms that you like:\n\n  1. include the notice\n  2. update the list from time to time;\n";
    let steps = "install:\n\tmake install\n\nif it fails then do this:\n\techo $PATH\ndone\n";
    for (name, text) in [("README", steps), ("copyright", license), ("README.Debian", steps), ("doc/COPYING", license)]
    {
        assert_eq!(classify(Some(name), None, Content::Text(text)).specific, "txt", "{name}");
    }
    let markdown = "# Lens\n\nSome *text*, and **more** of it.\n\n```\nmake\n```\n\n- one\n- two\n";
    assert_eq!(classify(Some("README"), None, Content::Text(markdown)).specific, "md");
    let bullets = "Files:\n\n * one of them\n * another of them\n * the last of them\n * and its **notes**\n";
    assert_eq!(classify(Some("copyright"), None, Content::Text(bullets)).specific, "txt");
    assert_eq!(classify(Some("README.md"), None, Content::Text(steps)).specific, "md");
}

#[test]
fn names_take_precedence_over_content() {
    let expected = [
        ("main.rs", "rs"),
        ("MAIN.RS", "rs"),
        ("src/lib/x.py", "py"),
        ("C:\\x\\y.cs", "cs"),
        ("Makefile", "hljs-makefile"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("Cargo.lock", "Cargo.lock"),
        ("Gemfile", "Gemfile"),
        (".zshrc", ".zshrc"),
        (".bashrc", "bashrc"),
        ("a.html.erb", "hljs-erb"),
        ("x.pyx.in", "pyx.in"),
        ("types.d.ts", "ts"),
        ("CMakeLists.txt", "hljs-cmake"),
        ("a.tsx", "tsx"),
        ("x.yml", "yml"),
        ("notes.txt", "txt"),
        ("x.blade.php", "php"),
        ("a.b.c.json", "json"),
        ("x.kts", "kt"),
        ("x.C", "cpp"),
        ("BUILD", "bazel"),
        ("pom.xml", "xml"),
        ("x.jsonc", "json"),
        ("x.hs-boot", "hs-boot"),
        ("style.scss", "scss"),
        ("x.proto", "hljs-protobuf"),
        ("main.tf", "tf"),
        ("x.R", "r"),
        ("x.nim", "hljs-nimrod"),
        ("x.sublime-snippet", "sublime-snippet"),
        ("package-lock.json", "json"),
        ("x.py~", "py"),
    ];
    for (name, specific) in expected {
        assert_eq!(named(name), specific, "{name}");
    }
}

#[test]
fn unspecific_names_defer_to_the_content() {
    for name in [
        "",
        ".",
        "..",
        "notes",
        "x.",
        "rs",
        "go",
        "c",
        "list",
        "UNKNOWN",
        "Version 1.5",
        "hljs-rust",
        "a.unknownext",
        "€.§",
    ] {
        assert_eq!(named(name), "txt", "{name:?}");
        assert_eq!(classify(Some(name), None, Content::Text("[1]")).specific, "json", "{name:?}");
    }
}

#[test]
fn a_specific_hint_takes_precedence() {
    let hinted = |name, hint, text| classify(name, Some(hint), Content::Text(text)).specific;
    assert_eq!(hinted(Some("x.txt"), "rs", "x"), "rs");
    assert_eq!(hinted(None, ".py", "x"), "py");
    assert_eq!(hinted(None, "hljs-haskell", "x"), "hljs-haskell");
    assert_eq!(hinted(Some("x.rs"), "txt", "x"), "rs");
    assert_eq!(hinted(None, "txt", "fn main() { println!(\"x\"); }"), "txt");
    assert_eq!(hinted(None, "nonsense", "{}"), "json");
    assert_eq!(hinted(None, "jql", "a = b"), "txt");
    assert_eq!(hinted(None, "luau", "x"), "hljs-lua");
    assert_eq!(hinted(None, "png", "not a picture"), "txt");
}

#[test]
fn bytes_are_detected_by_magic_numbers() {
    let of = |name: Option<&str>, bytes: &[u8]| {
        let Classified { generic, specific } = classify(name, None, Content::Bytes(bytes));
        (generic, specific)
    };
    assert_eq!(of(None, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), ("IMAGE", "png"));
    assert_eq!(of(Some("wrong.txt"), b"GIF89a\x01\0\x01\0\0\0\0"), ("IMAGE", "gif"));
    assert_eq!(of(None, b"\xff\xd8\xff\xe0\0\x10JFIF\0"), ("IMAGE", "jpg"));
    assert_eq!(of(None, b"%PDF-1.7\n\x80\x81\0"), ("FILE", "pdf"));
    assert_eq!(of(Some("a.docx"), b"PK\x03\x04\x14\0\0\0\x08\0\0\0"), ("FILE", "docx"));
    assert_eq!(of(None, b"PK\x03\x04\x14\0\0\0\x08\0\0\0"), ("FILE", "zip"));
    assert_eq!(of(None, b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2"), ("VIDEO", "mp4"));
    assert_eq!(of(None, b"8BPS\0\x01\0\0\0\0"), ("IMAGE", "UNKNOWN"));
    assert_eq!(of(Some("x.bin"), b"\0\x01\x02\xfe"), ("FILE", "bin"));
    assert_eq!(of(None, b"\0\x01\x02\xfe"), ("FILE", "bin"));
    assert_eq!(of(None, b""), ("FILE", "bin"));
    assert_eq!(of(None, b"fn main() {\n    println!(\"x\");\n}\n"), ("CODE", "rs"));
    assert_eq!(of(Some("x.py"), b"print(1)\n"), ("CODE", "py"));
    assert_eq!(of(None, b"MZ\x90\0\x03\0\0\0"), ("FILE", "exe"));
}

#[test]
fn long_content_is_classified_by_its_beginning() {
    let json = format!("[{}1]", "{\"a\": \"ü\"},".repeat(500_000));
    assert_eq!(nameless(&json), "json");
    let mut bytes = "é".repeat(MAX_SAMPLE_BYTES).into_bytes();
    assert_eq!(classify(None, None, Content::Bytes(&bytes)).specific, "txt");
    bytes.insert(0, b'x');
    assert_eq!(classify(None, None, Content::Bytes(&bytes)).specific, "txt");
}

proptest! {
    #[test]
    fn any_bytes_and_names_give_a_known_value(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        name in proptest::option::of("\\PC{0,20}|[a-zA-Z./~]{0,20}"),
        hint in proptest::option::of("\\PC{0,6}|[a-z-]{0,6}"),
    ) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for content in [Content::Bytes(&bytes), Content::Text(&text)] {
            let Classified { generic: _, specific } = classify(name.as_deref(), hint.as_deref(), content);
            prop_assert!(language(specific).is_some_and(|language| language.emitted));
        }
    }

    #[test]
    fn any_mix_of_code_gives_a_known_value(text in "([<>{}\\[\\]():;=#*|\"'`\n\t -]|fn|class|select|[a-zé日]){0,200}") {
        prop_assert!(language(nameless(&text)).is_some_and(|language| language.emitted && language.text));
    }
}
