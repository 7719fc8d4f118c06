import { assetAddress } from '../shared/address.js';

/**
 * Registers the service worker, which keeps the site for later visits without a network: once the page has loaded, in a built site only, and
 * not for visitors who asked to save data. Where it cannot be registered, the site needs its network as before.
 */
export function keepOffline() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || navigator.connection?.saveData) return;
  const register = () => navigator.serviceWorker.register(assetAddress('offline.js')).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}
