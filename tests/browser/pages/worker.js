// A service worker that asks another server as soon as it is there.
const target = decodeURIComponent(self.location.hash.slice(1));
fetch(target, { method: "POST", mode: "no-cors" }).catch(() => {});
