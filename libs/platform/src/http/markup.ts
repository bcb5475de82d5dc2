/** HTML that is safe to send: made by {@link html} only. */
export class Markup {
  constructor(readonly text: string) {}
}

/**
 * HTML from a template. Whatever is put into it is escaped, for text and for attributes in quotation marks; only what
 * is {@link Markup} itself is not.
 */
export function html(template: TemplateStringsArray, ...values: (string | Markup | Markup[])[]): Markup {
  return new Markup(
    template.reduce((before, text, index) => `${before}${inserted(values[index - 1]!)}${text}`),
  );
}

function inserted(value: string | Markup | Markup[]): string {
  if (Array.isArray(value)) return value.map(({ text }) => text).join('');
  return value instanceof Markup ? value.text : escaped(value);
}

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
