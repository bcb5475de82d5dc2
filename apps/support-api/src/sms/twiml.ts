import { html } from '#platform';

/** Twilio's form of an answer by SMS; none if undefined. */
export function twiml(text: string | undefined): string {
  const message = text === undefined ? html`` : html`<Message>${text}</Message>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<Response>${message}</Response>`.text}`;
}
