import { html, type Markup } from '#platform';
import type { Reader } from '../links/reader.js';

/**
 * The one script of pages: it has the browser show messages. Everything else on a page works without it. It stands in
 * the page, whose policy allows its hash and no other, and it is written for browsers of before 2016.
 */
export const OFFER_SCRIPT: Markup = html`<script>
  (function () {
    var box = document.getElementById('push');
    if (!box || !('serviceWorker' in navigator) || !window.PushManager || !window.Notification) return;
    var button = box.querySelector('button');
    var status = box.querySelector('[role=status]');
    function say(what) {
      status.textContent = status.getAttribute('data-' + what);
      button.disabled = false;
      if (what === 'added') box.removeChild(button);
    }
    function key() {
      var text = box.getAttribute('data-key').replace(/-/g, '+').replace(/_/g, '/');
      var bytes = atob(text).split('');
      return new Uint8Array(
        bytes.map(function (byte) {
          return byte.charCodeAt(0);
        }),
      );
    }
    function whenActive(registration) {
      if (registration.active) return registration;
      var worker = registration.installing || registration.waiting;
      return new Promise(function (resolve, reject) {
        worker.addEventListener('statechange', function () {
          if (worker.state === 'activated') resolve(registration);
          if (worker.state === 'redundant') reject(worker);
        });
      });
    }
    function subscribe(registration) {
      var manager = registration.pushManager;
      var options = { userVisibleOnly: true, applicationServerKey: key() };
      return manager.subscribe(options).catch(function (error) {
        return manager.getSubscription().then(function (before) {
          if (!before) throw error;
          return before.unsubscribe().then(function () {
            return manager.subscribe(options);
          });
        });
      });
    }
    function send(subscription) {
      var made = subscription.toJSON();
      var form = new URLSearchParams();
      form.set('endpoint', made.endpoint);
      form.set('p256dh', made.keys.p256dh);
      form.set('auth', made.keys.auth);
      return fetch(box.getAttribute('data-post'), { method: 'POST', body: form }).then(function (answer) {
        say(answer.ok ? 'added' : answer.status === 409 ? 'full' : 'failed');
      });
    }
    button.addEventListener('click', function () {
      button.disabled = true;
      Notification.requestPermission()
        .then(function (permission) {
          if (permission !== 'granted') return say('denied');
          return navigator.serviceWorker
            .register('../push/worker.js')
            .then(whenActive)
            .then(subscribe)
            .then(send);
        })
        .catch(function () {
          say('failed');
        });
    });
    box.hidden = false;
  })();
</script>`;

/**
 * Offers to show messages in this browser; hidden until the script finds that it can.
 *
 * @param publicKey base64url
 * @param path where the script posts, relative to the page
 */
export function offer(reader: Reader, publicKey: string, path: string): Markup {
  return html`<section id="push" hidden data-key="${publicKey}" data-post="${path}">
    <h2>${reader.say('push')}</h2>
    <p>${reader.say('push_text')}</p>
    <button type="button">${reader.say('push_button')}</button>
    <p
      role="status"
      data-added="${reader.say('push_added')}"
      data-denied="${reader.say('push_denied')}"
      data-full="${reader.say('push_full')}"
      data-failed="${reader.say('push_failed')}"
    ></p>
  </section>`;
}
