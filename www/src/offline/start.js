import { assetAddress } from '../shared/address.js';

/**
 * Keeps the site for later visits without a network: once the page has loaded, in a built site only, and not for visitors who
 * asked to save data.
 */
export function keepOffline() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || navigator.connection?.saveData) return;
  const register = () => navigator.serviceWorker.register(assetAddress('offline.js')).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}
