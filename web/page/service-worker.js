// Keeps the files of the page for when there is no network. The build puts the list of them and its digest in the place of these two.
const kFiles = self.__FILES__;
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
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
