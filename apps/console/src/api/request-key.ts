import { useState } from 'react';
import { randomKey } from './random-key.js';

/**
 * The keys of requests that make something. If a response is lost, the person sends the same again: with the same key
 * it is made once.
 */
export class RequestKeys {
  private last: { values: string; key: string } | undefined;

  /** The same as before for the same values, until they have been saved. */
  keyFor(values: unknown): string {
    const text = JSON.stringify(values);
    if (this.last?.values !== text) this.last = { values: text, key: randomKey() };
    return this.last.key;
  }

  /** What is saved next is another thing, even if it is the same. */
  saved(): void {
    this.last = undefined;
  }
}

export const useRequestKeys = (): RequestKeys => useState(() => new RequestKeys())[0];
