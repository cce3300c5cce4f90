// Keeps the files of the page for when there is no network: from the start, or once the page has loaded them. The build puts the lists of them and
// its digest in the place of these three.
const kFiles = self.__FILES__;
const kLater = self.__LATER__;
const kCache = `unshade-${self.__DIGEST__}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(kCache)
      .then((cache) => cache.addAll(kFiles))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith("unshade-") && name !== kCache).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// Names of built files have digests: what is kept is right. The page itself, and what it links by plain names, comes from the same build.
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true, ignoreVary: true }).then((kept) => kept ?? load(event.request)));
});

async function load(request) {
  const answer = await fetch(request);
  if (answer.ok && kLater.some((name) => new URL(name, self.location.href).href === request.url)) await (await caches.open(kCache)).put(request, answer.clone());
  return answer;
}
