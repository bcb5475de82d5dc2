import { html } from './markup.js';

it('escapes text and attributes, and nothing twice', () => {
  const odd = `"><h2 onclick='x'>&\``;
  const escaped = '&#34;&#62;&#60;h2 onclick=&#39;x&#39;&#62;&#38;&#96;';
  const inner = html`<i>${odd}</i>`;
  expect(html`<p title="${odd}">${odd}${inner}${[inner, inner]}</p>`.text).toBe(
    `<p title="${escaped}">${escaped}${`<i>${escaped}</i>`.repeat(3)}</p>`,
  );
});
