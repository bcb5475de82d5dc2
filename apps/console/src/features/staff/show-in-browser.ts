/** Whether this browser can show messages. */
export const canShow = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Shared with the pages behind links: a browser has one subscription here, whoever its messages are for. */
const WORKER = '/push/worker.js';
/** What the worker's address allows it. */
const SCOPE = '/push/';

/** The parts of a subscription that the server needs. */
export interface Subscribed {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/**
 * Has this browser take messages.
 *
 * @param publicKey of the server, base64url
 * @returns undefined if the person does not allow it
 */
export async function subscribe(publicKey: string): Promise<Subscribed | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const { pushManager } = await whenActive(await navigator.serviceWorker.register(WORKER));
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  const made = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // one for an earlier key of the server
    const before = await pushManager.getSubscription();
    if (!before) throw error;
    await before.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint = '', keys = {} } = made.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}

/** The id that the server has for this browser; undefined if it takes no messages. */
export async function idOfThisBrowser(): Promise<string | undefined> {
  if (!canShow) return undefined;
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const made = await registration?.pushManager.getSubscription();
  if (!made) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(made.endpoint));
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A service worker takes messages from when it is active. */
function whenActive(registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  if (registration.active) return Promise.resolve(registration);
  const worker = (registration.installing ?? registration.waiting)!;
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve(registration);
      if (worker.state === 'redundant') reject(new Error('the service worker was not installed'));
    });
  });
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}
