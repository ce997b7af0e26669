"""What the service exports, opened in a real Chromium: python3 exports.py PATH/TO/lunette

What is proven: an asset whose name, description, content, tags, websites and summaries are a text that attacks is exported
as a web page and as Markdown. The page, with its policy and without, and the Markdown as a renderer without any scruples
makes a page of it, run no script, open no dialog, ask nobody for anything, and hold no element and no link that could,
also when everything in them is pointed at and clicked. The same texts put into the same page as they are do all of that.
"""

import os
import re
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import markdown_it

from chromium import Chromium, Page, wait_for
from claims import claim
from payloads import PAYLOADS
from service import Service

MARK = "HERE-STANDS-THE-TEXT"
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')
WORKERS = 3
# Points at everything and presses it, and gives what should not be there. Links are looked at and not followed.
PRESS = """(() => {
  const odd = [];
  const plain = "A BLOCKQUOTE BODY CODE DD DIV DL DT EM FIGURE FOOTER H1 H2 HEAD HEADER HR HTML IMG LI MAIN META OL P PRE S SECTION SPAN STRONG STYLE TABLE TBODY TD TH THEAD TITLE TR UL BR";
  for (const element of document.querySelectorAll("*")) {
    if (!plain.split(" ").includes(element.tagName)) odd.push(element.outerHTML);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "style" || name === "src" && !value.startsWith("data:image/")) odd.push(element.outerHTML);
      if (name === "href" && !/^(https?:\\/\\/|mailto:)/.test(value)) odd.push(element.outerHTML);
      if (name === "http-equiv" && value !== "Content-Security-Policy") odd.push(element.outerHTML);
    }
    element.addEventListener("click", (event) => event.preventDefault());
    for (const event of ["mouseover", "focus", "pointerdown", "toggle", "click"]) element.dispatchEvent(new Event(event, { bubbles: true, cancelable: true }));
  }
  if (document.querySelectorAll("meta[http-equiv]").length > 1) odd.push("two policies");
  return odd;
})()"""


class Watched(Page):
    """A page of which every script that is read, every request and every dialog is noted."""

    def __init__(self, browser, attacked=False):
        plain = browser.page()
        self.scripts, self.loaded, self.attacked = [], 0, attacked
        super().__init__(browser, plain.target, plain.session)
        if attacked:
            # A dialog would hold up every other page; a word on the console says as well that a script ran.
            self.ask("Page.addScriptToEvaluateOnNewDocument", source="window.alert = (word) => console.log('ran', word)")
        else:
            self.ask("Debugger.enable")

    def heard(self, message):
        super().heard(message)
        if message.get("method") == "Debugger.scriptParsed":
            self.scripts.append(message["params"]["url"] or message["params"].get("embedderName", ""))
        elif message.get("method") == "Page.loadEventFired":
            self.loaded += 1

    def look(self, path):
        """Opens a file; gives what ran, what was asked for, what was said, and what is odd in it."""
        for heard in (self.scripts, self.requests, self.dialogs, self.console):
            heard.clear()
        before, url = self.loaded, f"file://{path}"
        self.ask("Page.navigate", url=url)
        # A page that asks for what never comes is never whole; that it asked is what counts of it.
        wait_for(lambda: self.loaded > before or self.attacked and (self.console or self.asked(url)), f"{path} is read")
        if self.attacked:
            return {"scripts": len(self.console), "requests": self.asked(url)}
        read = len(self.scripts)
        odd = self.run(PRESS)
        # What was pressed is read as a script of ours, once.
        scripts = max(read, len(self.scripts) - 1)
        return {"scripts": scripts, "requests": self.asked(url), "dialogs": list(self.dialogs), "odd": odd}

    def asked(self, url):
        """What was asked for beside the page itself."""
        return [asked for asked in list(self.requests) if asked != url and not asked.startswith("data:image/")]


def renderers():
    """Markdown as its own definition has it, and as the large sites extend it; neither looks at where a link leads."""
    for preset in ["commonmark", "gfm-like"]:
        renderer = markdown_it.MarkdownIt(preset, {"html": True})
        renderer.validateLink = lambda _url: True
        if renderer.linkify:
            # Two slashes alone make no link there.
            renderer.linkify.add("//", None)
        yield renderer


def hostile_asset(service, text):
    """An asset that says this wherever it says anything."""
    _, _, example = service.example("assetsCreateNewAsset")
    seed = {
        "application": example["asset"]["application"], "format": {"fragment": {"string": {"raw": text}}},
        "metadata": {"name": text, "annotations": [{"type": "DESCRIPTION", "text": text}]},
    }
    asset = service.ask("/assets/create", "POST", {"type": "SEEDED_ASSET", "asset": seed})["id"]
    tag = service.make("tagsCreateNewTag", text=text)
    addresses = [(text, text), (text, "name"), ("https://good.example/", text)]
    websites = [service.make("websitesCreateNewWebsite", url=url, name=name) for url, name in addresses]
    summary = service.make("workstreamSummariesCreateNewWorkstreamSummary", name=text)
    links = [("tags", tag), ("workstream_summaries", summary), *(("websites", website) for website in websites)]
    for kind, name in links:
        service.ask(f"/asset/{asset}/{kind}/associate/{name}", "POST")
    return asset


def documents(service, number, text, folder):
    """The pages of one text: as exported, without its policy, of Markdown; written into a folder."""
    asset = hostile_asset(service, text)
    page = exported(service, asset, "HTML")
    claim_policy(page)
    pages = {"page": page, "page without its policy": POLICY.sub("", page)}
    document = exported(service, asset, "MD")
    rendered = [renderer.render(document) for renderer in renderers()]
    pages["Markdown, by two renderers"] = '<!DOCTYPE html><meta charset="utf-8"><body>' + "<hr>".join(rendered)
    for kind, content in pages.items():
        path = os.path.join(folder, f"{number}-{kind}.html".replace(" ", "-"))
        write(path, content)
        yield kind, path


def write(path, content):
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(content)


def all_documents(service, folder):
    """The pages of all texts, by their kind."""
    files = {}
    with ThreadPoolExecutor(WORKERS) as workers:
        made = workers.map(lambda numbered: list(documents(service, *numbered, folder)), enumerate(PAYLOADS))
        for kind, path in (page for pages in made for page in pages):
            files.setdefault(kind, []).append(path)
    return files


def claim_policy(page):
    if len(POLICY.findall(page)) != 1:
        claim(False, "an exported page has its policy", page[:2000])


def exported(service, asset, kind):
    return service.ask(f"/asset/{asset}/export?export_type={kind}")["raw"]["string"]["raw"]


def side_by_side(browser, paths, attacked=False):
    """Looks at many files in a few pages; gives what each came to."""
    came_to, rest, lock = {}, list(paths), threading.Lock()

    def work():
        page = Watched(browser, attacked)
        while True:
            with lock:
                if not rest:
                    return page.close()
                path = rest.pop()
            came_to[path] = page.look(path)
            if attacked:
                # What still comes of a page that attacks is not to be counted for the next one.
                page.close()
                page = Watched(browser, attacked)

    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(came_to) != len(paths):
        claim(False, "every file is looked at", sorted(set(paths) - set(came_to)))
    return came_to


def unescaped(service, folder):
    """The same page with the texts in it as they are: what a page looks like whose writer escapes nothing."""
    page = POLICY.sub("", exported(service, service.asset("x.html", MARK), "HTML"))
    if MARK not in page:
        claim(False, "a text stands in its page", page)
    for number, text in list(enumerate(PAYLOADS))[::4]:
        path = os.path.join(folder, f"{number}-unescaped.html")
        write(path, page.replace(MARK, text))
        yield path


def main(program):
    claim(len(PAYLOADS) >= 300, f"there are {len(PAYLOADS)} texts that attack")
    with Service(program) as service, tempfile.TemporaryDirectory() as folder:
        files = all_documents(service, folder)
        claim(len(files) == 3, "each of them is exported as a page and as Markdown, from everywhere in an asset", files.keys())
        with Chromium("--host-resolver-rules=MAP * ~NOTFOUND") as browser:
            came_to = side_by_side(browser, list(unescaped(service, folder)), attacked=True)
            ran = sum(bool(one["scripts"]) for one in came_to.values())
            asked = sum(bool(one["requests"]) for one in came_to.values())
            told = f"unescaped, {ran} of {len(came_to)} run a script and {asked} ask somebody for something"
            claim(ran >= 15 and asked >= 15, told, "")
            for kind, paths in files.items():
                tell(kind, side_by_side(browser, paths))


def tell(kind, came_to):
    """The claim for one kind of document."""
    wrong = {path: one for path, one in came_to.items() if any(one.values())}
    some = [(PAYLOADS[int(os.path.basename(path).split("-")[0])], one) for path, one in list(wrong.items())[:5]]
    claim(not wrong, f"{kind}: {len(came_to)} opened, 0 scripts, 0 dialogs, 0 requests, nothing but text and links", some)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
