// Registers the service worker that keeps the page for when there is no network.
import { kIsSingle } from "./model/single";

export function keepOffline(): void {
  if (!import.meta.env.PROD || kIsSingle || !("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // Without it, for instance in a private window, the page works as long as there is a network.
  });
}
