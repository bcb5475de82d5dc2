import { fieldName } from '../api/field-names.js';
import type { FieldError } from '../api/http.js';
import { DETAILS } from './details.js';
import { SENTENCES } from './sentences.js';

/** What is wrong with a field, without its name. */
export function fieldSentence({ field, code, message }: FieldError): string {
  const says = message.startsWith(field) ? message.slice(field.length).replace(/^:? /, '') : message;
  for (const [pattern, sentence] of DETAILS) {
    const match = pattern.exec(says);
    if (match) return sentence(...match.slice(1));
  }
  return SENTENCES[code] ?? message;
}

/** `Phone: Enter a phone number such as +49 30 123456.` */
export function namedSentence(error: FieldError): string {
  const name = fieldName(error.field);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${fieldSentence(error)}`;
}
