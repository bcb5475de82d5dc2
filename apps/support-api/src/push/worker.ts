/**
 * The service worker: what a browser runs when a message comes, also while no page is open. It controls no page and
 * answers no request. The notifier's `push.channel.ts` says what a message contains.
 */
export const WORKER = `
self.addEventListener('install', function () {
  self.skipWaiting();
});
self.addEventListener('push', function (event) {
  var message = event.data.json();
  var options = { tag: message.tag, renotify: true, data: message.url };
  event.waitUntil(self.registration.showNotification(message.title, options));
});
self.addEventListener('notificationclick', function (event) {
  event.notification.close();
  if (event.notification.data) event.waitUntil(self.clients.openWindow(event.notification.data));
});
`;
