// The service worker: after the first visit the whole site works without a network. `build/offline-plugin.js` puts in the names
// of the files of this build, and a version that is made of the names and of what the build has put into the files.

const VERSION = '%VERSION%';
const FILES = ['%FILES%'];
const CACHE = `scatterwise-${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  // Removes what older versions have kept.
  const drop = (names) => Promise.all(names.filter((name) => name.startsWith('scatterwise-') && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(request.mode === 'navigate' ? page(request) : file(request));
});

/**
 * The response for the playground with the headers by which a browser lets it run threads, which most static hosts do not send; any other response
 * as it is, and so one that the browser has to follow.
 */
function isolated(response, { url }) {
  if (!/\/playground(\.html)?$/.test(new URL(url).pathname) || response.type === 'opaqueredirect' || response.redirected) return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/**
 * The response for a page. It comes from the network, so that a new version is seen at once; without a network from the cache, where a
 * folder stands for its index.html. Fails with the network's error if the cache has nothing.
 */
async function page(request) {
  try {
    return isolated(await fetch(request), request);
  } catch (error) {
    const address = new URL(request.url);
    const names = [address, new URL('index.html', address)];
    for (const name of names) {
      const kept = await caches.match(name, { ignoreSearch: true });
      if (kept) return isolated(kept, request);
    }
    throw error;
  }
}

/** The response for any other file: from this version's cache, else from the network. Names of built files have the hash of their content. */
async function file(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
