// Comes to rest, then goes to a page or imports a script, as its address says. first.js reports.
const { searchParams: wanted, hash } = new URL(location.href);
const [page, script] = [wanted.get('page'), wanted.get('script')];
await new Promise((done) => setTimeout(done, Number(wanted.get('rest_ms'))));
if (page) location.replace(page + hash);
if (script) {
  globalThis.begin = performance.now();
  await import(script).catch((error) => navigator.sendBeacon(`http://127.0.0.1:${hash.slice(1)}`, JSON.stringify({ error: String(error) })));
}
