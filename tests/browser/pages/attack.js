// Every way by which a page makes the browser ask another server for something, each under its own name.
// What is asked of whom stands in the address after `#`, as JSON: {base, read, write, socket, home, only}; `only` names one
// of those that leave the page, and is null for all the others.
"use strict";

const AIM = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const HOME = AIM.home;
const marked = (path, kind) => `${AIM.base}${path}${path.includes("?") ? "&" : "?"}kind=${kind}`;
const read = (kind) => marked(AIM.read, kind);
const write = (kind) => marked(AIM.write, kind);
const via = (status, url) => `${HOME}/go?status=${status}&to=${encodeURIComponent(url)}`;

function put(name, attributes = {}, parent = document.body) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  parent.append(element);
  return element;
}

function form(kind, method, encoding, target, action = write(kind)) {
  const element = put("form", { action, method, enctype: encoding, target });
  put("input", { name: '{"text":"', value: '"}' }, element);
  element.submit();
}

function framed(kind, method, encoding, action) {
  put("iframe", { name: `frame-${kind}` });
  form(kind, method, encoding, `frame-${kind}`, action);
}

const styled = (rule) => put("style").append(rule);
const ask = (url, options) => fetch(url, options).catch(() => {});
const post = (kind, options) => ask(write(kind), { method: "POST", mode: "no-cors", ...options });
const json = { "content-type": "application/json" };

function xhr(method, url, headers, body) {
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(body);
}

function inside(script) {
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

const KINDS = {
  // What a page is made of.
  img: (kind) => put("img", { src: read(kind) }),
  picture: (kind) => put("source", { srcset: read(kind) }, put("picture")).after(put("img")),
  "input-image": (kind) => put("input", { type: "image", src: read(kind) }),
  "svg-image": (kind) => document.body.insertAdjacentHTML("beforeend", `<svg><image href="${read(kind)}"/></svg>`),
  script: (kind) => put("script", { src: read(kind) }),
  "script-crossorigin": (kind) => put("script", { src: read(kind), crossorigin: "anonymous" }),
  module: (kind) => import(read(kind)).catch(() => {}),
  css: (kind) => put("link", { rel: "stylesheet", href: read(kind) }),
  "css-import": (kind) => put("link", { rel: "stylesheet", href: `${HOME}/style?to=${encodeURIComponent(read(kind))}` }),
  "css-background": (kind) => styled(`body { background: url("${read(kind)}") }`),
  font: (kind) => new FontFace("x", `url("${read(kind)}")`).load().catch(() => {}),
  iframe: (kind) => put("iframe", { src: read(kind) }),
  "iframe-sandboxed": (kind) => put("iframe", { src: read(kind), sandbox: "" }),
  object: (kind) => put("object", { data: read(kind) }),
  embed: (kind) => put("embed", { src: read(kind) }),
  audio: (kind) => put("audio", { src: read(kind), preload: "auto" }),
  video: (kind) => put("video", { src: read(kind), preload: "auto" }),
  poster: (kind) => put("video", { poster: read(kind) }),
  track: (kind) => {
    const video = put("video", { src: `${HOME}/echo`, crossorigin: "anonymous" });
    put("track", { src: read(kind), kind: "captions", default: "" }, video).track.mode = "showing";
  },
  icon: (kind) => put("link", { rel: "icon", href: read(kind) }, document.head),
  prefetch: (kind) => put("link", { rel: "prefetch", href: read(kind) }, document.head),
  preload: (kind) => put("link", { rel: "preload", as: "script", href: read(kind) }, document.head),
  modulepreload: (kind) => put("link", { rel: "modulepreload", href: read(kind) }, document.head),

  // Going there.
  "meta-refresh": (kind) => put("iframe", { src: `${HOME}/refresh?to=${encodeURIComponent(read(kind))}` }),
  "window-open": (kind) => window.open(read(kind)),
  "frame-location": (kind) => { put("iframe").contentWindow.location = read(kind); },
  "form-get": (kind) => {
    const element = put("form", { action: AIM.base + AIM.read, method: "get", target: "frame-form-get" });
    put("iframe", { name: "frame-form-get" });
    put("input", { name: "kind", value: kind }, element);
    element.submit();
  },
  "form-urlencoded": (kind) => framed(kind, "post", "application/x-www-form-urlencoded"),
  "form-multipart": (kind) => framed(kind, "post", "multipart/form-data"),
  "form-text": (kind) => framed(kind, "post", "text/plain"),
  "form-popup": (kind) => form(kind, "post", "text/plain", "_blank"),
  "form-307": (kind) => framed(kind, "post", "text/plain", via(307, write(kind))),

  // Said in passing.
  beacon: (kind) => navigator.sendBeacon(write(kind), "x"),
  "beacon-blob": (kind) => navigator.sendBeacon(write(kind), new Blob(["{}"])),
  "beacon-json": (kind) => navigator.sendBeacon(write(kind), new Blob(["{}"], { type: "application/json" })),
  ping: (kind) => put("a", { href: "#", ping: write(kind) }, put("p")).click(),
  "csp-report": (kind) => put("iframe", { src: `${HOME}/report?to=${encodeURIComponent(write(kind))}` }),

  // Asked by a script.
  "fetch-no-cors": (kind) => ask(read(kind), { mode: "no-cors" }),
  "fetch-cors": (kind) => ask(read(kind)),
  "fetch-credentials": (kind) => ask(read(kind), { credentials: "include" }),
  "fetch-header": (kind) => ask(read(kind), { headers: { "x-application-id": "x", "x-forwarded-host": "localhost" } }),
  "fetch-redirected": (kind) => ask(via(302, read(kind)), { mode: "no-cors" }),
  "fetch-head": (kind) => ask(read(kind), { method: "HEAD", mode: "no-cors" }),
  "post-empty": (kind) => post(kind),
  "post-blob": (kind) => post(kind, { body: new Blob(["{}"]) }),
  "post-text": (kind) => post(kind, { body: "{}" }),
  "post-form": (kind) => post(kind, { body: new URLSearchParams({ a: "b" }) }),
  "post-keepalive": (kind) => post(kind, { keepalive: true, body: "{}" }),
  "post-307": (kind) => ask(via(307, write(kind)), { method: "POST", mode: "no-cors", body: "{}" }),
  "post-json": (kind) => ask(write(kind), { method: "POST", headers: json, body: "{}" }),
  "post-simple-cors": (kind) => ask(write(kind), { method: "POST" }),
  put: (kind) => ask(write(kind), { method: "PUT", body: "{}" }),
  delete: (kind) => ask(write(kind), { method: "DELETE" }),
  "xhr-get": (kind) => xhr("GET", read(kind), {}),
  "xhr-post": (kind) => xhr("POST", write(kind), {}, "{}"),
  "xhr-json": (kind) => xhr("POST", write(kind), json, "{}"),
  "event-source": (kind) => new EventSource(read(kind)),
  "web-socket": (kind) => new WebSocket(marked(AIM.socket, kind).replace("http", "ws")),

  // Asked from beside the page.
  worker: (kind) => new Worker(inside(`fetch("${write(kind)}", { method: "POST", mode: "no-cors" })`)),
  "worker-import": (kind) => new Worker(inside(`importScripts("${read(kind)}")`)),
  "shared-worker": (kind) => new SharedWorker(inside(`fetch("${read(kind)}", { mode: "no-cors" })`)),
  "service-worker": async (kind) => {
    const work = await navigator.serviceWorker.register(`worker.js#${encodeURIComponent(write(kind))}`);
    await work.update();
  },
};

// Each of these leaves the page, which is why it is alone there.
const LEAVING = {
  "top-form": (kind) => form(kind, "post", "text/plain", "_self"),
  "top-location": (kind) => { location.href = read(kind); },
  "top-307": (kind) => form(kind, "post", "application/x-www-form-urlencoded", "_self", via(307, write(kind))),
};

// What this page cannot do at all (a sandbox, a file), by its reason.
window.refused = {};

async function all(kinds) {
  for (const [kind, fire] of Object.entries(kinds)) {
    try {
      await Promise.race([fire(kind), new Promise((done) => setTimeout(done, 0))]);
    } catch (error) {
      window.refused[kind] = String(error);
    }
  }
}

window.fired = false;
const chosen = AIM.only ? { [AIM.only]: LEAVING[AIM.only] } : KINDS;
addEventListener("load", () => all(chosen).then(() => {
  window.fired = true;
  if (parent !== window) parent.postMessage("fired", "*");
}));
