import { ApiError, type FieldError } from '../api/http.js';
import { fieldSentence, namedSentence } from './field-sentence.js';
import { SENTENCES } from './sentences.js';
import { t } from '../i18n/i18n.js';

/** A failed request as a sentence, and what else there is to say; both in the reader's language. */
export function explain(error: Error): [title: string, text: string] {
  if (!(error instanceof ApiError)) {
    return [
      t('Something went wrong'),
      t('Reload the page. If the problem persists, report this: {{message}}', { message: error.message }),
    ];
  }
  const { status, errorId } = error;
  if (status === 0) return [t('Can’t reach the server'), t('Check your network connection and try again.')];
  if (status === 429) return [sentenceOf(error), waitText(error)];
  if (status >= 500) {
    const again =
      errorId === undefined
        ? t('Try again in a moment.')
        : t('Try again in a moment. Error ID in the server log: {{errorId}}.', { errorId });
    return error.code === 'internal_error' || SENTENCES[error.code] === undefined
      ? [t('Server error'), again]
      : [sentenceOf(error), ''];
  }
  return error.errors.some(isOfField)
    ? [error.errors.filter(isOfField).map(namedSentence).join(' '), '']
    : [sentenceOf(error), ''];
}

/** {@link explain} in one line. */
export function errorText(error: Error): string {
  const [title, text] = explain(error);
  return [/[.!?]$/.test(title) || text === '' ? title : `${title}.`, text].filter(Boolean).join(' ');
}

/** {@link errorText} below a form: what is shown at its field is not repeated. */
export function formErrorText(error: Error): string {
  if (!(error instanceof ApiError) || error.status >= 500) return errorText(error);
  const fields = error.errors.filter(isOfField);
  const others = fields.filter((entry) => !atTheirField.has(entry));
  if (others.length === fields.length) return errorText(error);
  return [t('Check what is marked.'), ...others.map(namedSentence)].join(' ');
}

const atTheirField = new WeakSet<FieldError>();

/** What is wrong with one field of a form; the caller shows it there. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.errors.filter((entry) => entry.field === field || entry.field.startsWith(`${field}[`));
  for (const entry of found) atTheirField.add(entry);
  return found[0] && fieldSentence(found[0]);
}

/** Headers and the like have no field that people know. */
function isOfField({ field }: FieldError): boolean {
  return field !== '' && field !== 'body' && !/^[A-Z]/.test(field);
}

function sentenceOf({ code, message }: ApiError): string {
  return SENTENCES[code] ?? t('The server did not accept this: {{message}}', { message });
}

function waitText({ retryAfterSeconds }: ApiError): string {
  return retryAfterSeconds === undefined
    ? t('Try again shortly.')
    : t('Try again in {{count, number}} seconds.', { count: retryAfterSeconds });
}
