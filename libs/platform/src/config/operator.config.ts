import { IsOptional } from 'class-validator';
import { HttpUrl, OptionalText } from './settings.js';
import { ServiceConfig } from './service.config.js';

/** Who the operator is, for the people who get messages: of the services that write mails and the pages behind links. */
export class OperatorConfig extends ServiceConfig {
  /** The operator's name, at the head of mails and of the pages behind their links. */
  @OptionalText(/^\S[^\r\n]{0,59}$/, 'must be one line of at most 60 characters')
  OPERATOR_NAME = 'Pillwatch';

  /** The colour of their head and of the main button, `#rrggbb`; the text on it is black or white, whichever reads better. */
  @OptionalText(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f5fa8')
  OPERATOR_COLOR = '#1f5fa8';

  /** A picture for their head, 48 pixels high; `https:`, since mail programs load no other. */
  @OptionalText(
    // it stands in a header
    /^https:\/\/(?:(?![;,'"<>\\])[!-~])+$/,
    'must start with https://, in ASCII, without ; and ,',
  )
  OPERATOR_LOGO_URL?: string;

  /** Whom people can call, at the foot of mails and pages. */
  @OptionalText(/^\+?[\d ()./-]{3,40}$/, 'must be a phone number such as +49 30 123456')
  OPERATOR_PHONE?: string;

  /** The page that says who the operator is, linked at the foot of mails and pages. */
  @IsOptional()
  @HttpUrl()
  OPERATOR_IMPRINT_URL?: string;
}
