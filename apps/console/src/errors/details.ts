import { t } from '../i18n/i18n.js';

type Detail = readonly [says: RegExp, sentence: (...values: string[]) => string];

/**
 * What the API says of a field after its name, where that says more than the code alone does. `details.spec.ts` compares
 * with what the code of the API says.
 */
export const DETAILS: readonly Detail[] = [
  [
    /^must be lower-case letters, digits, - and _, 32 at most$/,
    () => t('Enter at most 32 lower-case letters, digits, - and _.'),
  ],
  [/^must not be less than (\S+)$/, (value) => t('Enter {{value}} or more.', { value })],
  [/^must not be greater than (\S+)$/, (value) => t('Enter {{value}} or less.', { value })],
  [
    /^must be longer than or equal to (\d+) and shorter than or equal to (\d+) characters$/,
    (min, max) => t('Enter {{min}} to {{max}} characters.', { min, max }),
  ],
  [
    /^must be longer than or equal to (\d+) characters$/,
    (value) => t('Enter at least {{value}} characters.', { value }),
  ],
  [
    /^must be shorter than or equal to (\d+) characters$/,
    (value) => t('Enter at most {{value}} characters.', { value }),
  ],
  [/^must contain at least (\d+) elements?$/, (value) => t('Give at least {{value}}.', { value })],
  [/^must contain no more than (\d+) elements?$/, (value) => t('Give at most {{value}}.', { value })],
  [
    /^must be a whole number from (\S+) to (\S+)$/,
    (min, max) => t('Enter a whole number from {{min}} to {{max}}.', { min, max }),
  ],
  [
    /^must be a number of pills from 0\.25 to (\S+), in quarters$/,
    (value) => t('Enter a number of pills up to {{value}}, such as 0.25, 0.5 or 2.', { value }),
  ],
  [/^must be a list of 1 to (\d+)$/, (value) => t('Give one to {{value}}.', { value })],
  [/^is there twice$/, () => t('This is there twice.')],
  [/^must be (?:a number|an integer number|a number conforming to .*)$/, () => t('Enter a number.')],
  [/^must be a date such as .*$/, () => t('Enter a date.')],
  [/^must be an instant such as .*$/, () => t('Enter a date and a time.')],
  [/^must be a time such as .*$/, () => t('Enter a time such as 08:00.')],
  [/^must be a duration such as .*$/, () => t('Enter a duration such as 2h or 30m.')],
  [
    /^must be a duration of a minute or more, such as .*$/,
    () => t('Enter a duration of a minute or more, such as 30m.'),
  ],
  [/^must be at most 24h$/, () => t('Enter at most 24h.')],
  [/^must be at most 7d$/, () => t('Enter at most 7d.')],
  [
    /^must be from (\d+[mhd]) to (\d+[mhd])$/,
    (min, max) => t('Enter a duration from {{min}} to {{max}}.', { min, max }),
  ],
  [
    /^must be less than missed_after$/,
    () => t('A dose must be late before it is missed: enter a shorter time.'),
  ],
  [/^cannot be given with until$/, () => t('Give either the last day or the number of doses.')],
  [
    /^is before (\S+), on which the schedule takes effect$/,
    (value) => t('The last day is before {{value}}, on which the schedule begins.', { value }),
  ],
  [
    /^must be after that of the step before, or the step before must end$/,
    () => t('A step begins after the one before it, or the one before must end.'),
  ],
  [/^must be (?:a|an IANA) time zone.*$/, () => t('Choose a time zone such as Europe/Berlin.')],
  [/^must be a phone number such as .*$/, () => t('Enter a phone number such as +49 30 123456.')],
  [
    /^must be a number with its country code and no blanks, such as .*$/,
    () => t('Enter the number with its country code and without blanks, such as +4915112345678.'),
  ],
  [/^must be an email$/, () => t('Enter an e-mail address such as anna@example.org.')],
  [
    /^must be one line without spaces around it, of at most 60 characters$/,
    () => t('Enter one line of at most 60 characters, without spaces around it.'),
  ],
  [
    /^must be one line, and not begin or end with a space$/,
    () => t('Enter one line, without spaces around it.'),
  ],
  [
    /^must not begin or end with a space, nor be .*$/,
    () => t('This name cannot be used, or has spaces around it.'),
  ],
  [/^must be letters, digits, spaces or .*$/, () => t('Use letters, digits, spaces and . _ @ : + - only.')],
  [
    /^must have no white space around it, none inside but single blanks, and be neither \. nor \.\.$/,
    () => t('No spaces around it, and single ones inside only.'),
  ],
  [/^must not be blank$/, () => t('This is required.')],
  [/^must be within the next two years$/, () => t('Choose a day within the next two years.')],
  [/^must be in the past.*$/, () => t('Enter a time in the past, at which the dose could be taken.')],
  [/^must be in the future, at most 7 days ahead$/, () => t('Choose a time in the next seven days.')],
  [/^must be at most 24 hours ahead$/, () => t('This dose is more than 24 hours ahead.')],
  [
    /^must have at least (\d+) characters$/,
    (value) => t('Choose a password of at least {{value}} characters.', { value }),
  ],
  [
    /^must have at most (\d+) characters$/,
    (value) => t('Choose a password of at most {{value}} characters.', { value }),
  ],
  [
    /^must have at least (\d+) different characters$/,
    (value) => t('Choose a password with at least {{value}} different characters.', { value }),
  ],
  [
    /^must not contain the name in the e-mail address$/,
    () => t('The password must not contain the name in your e-mail address.'),
  ],
  [/^must not contain "(.*)"$/, (value) => t('The password must not contain “{{value}}”.', { value })],
  [/^is too common$/, () => t('This password is too common.')],
  [/^is the current password$/, () => t('This is the current password. Choose another one.')],
  // of a file that is imported
  [
    /^must be one of mon, tue, wed, thu, fri, sat, sun$/,
    () => t('Write days as mon, tue, wed, thu, fri, sat or sun.'),
  ],
  [
    /^must be days on, days off and the first day on, such as .*$/,
    () => t('Write days on, days off and the first day on, such as 21/7 2026-03-01.'),
  ],
  [/^requires times, every or max_per_day$/, () => t('A schedule has times, every or max_per_day, too.')],
  [/^must be 1 in the first line of a bottle$/, () => t('The first line of a bottle is step 1.')],
  [
    /^must be (\d+), after the line before$/,
    (value) => t('After the line before, this is step {{value}}.', { value }),
  ],
  [/^must be that of step 1, or empty$/, () => t('Leave this blank, or write what step 1 has.')],
  [/^has no schedule$/, () => t('This step has no schedule.')],
  [
    /^the line has (\d+) fields; the first line has (\d+)$/,
    (value, needed) => t('The line has {{value}} cells, and the first line {{needed}}.', { value, needed }),
  ],
  [
    /^“(.*)” is not a column; the columns are (.*)$/,
    (name, columns) => t('“{{name}}” is not a column. The columns are {{columns}}.', { name, columns }),
  ],
  [/^the column (\S+) occurs twice$/, (value) => t('The column {{value}} is there twice.', { value })],
  [/^the column (\S+) is missing$/, (value) => t('The column {{value}} is missing.', { value })],
  [/^the file is empty$/, () => t('The file is empty.')],
  [
    /^the file contains column names only, no bottles$/,
    () => t('The file has the names of columns only, and no bottles.'),
  ],
  [
    /^the file has more than (\d+) lines of bottles; .*$/,
    (value) => t('The file has more than {{value}} lines. Import it in parts.', { value }),
  ],
  [
    /^the first line has more than (\d+) columns$/,
    (value) => t('The first line has more than {{value}} columns.', { value }),
  ],
  [/^misplaced quotation mark$/, () => t('A quotation mark is in the wrong place.')],
  [
    /^not in UTF-8; .*$/,
    () => t('This line has characters that cannot be read. In Excel, save the file as “CSV UTF-8”.'),
  ],
  [
    /^the line has (\d+) fields; the first line has (\d+)$/,
    (fields, head) => t('This line has {{fields}} fields, and the first one has {{head}}.', { fields, head }),
  ],
  [
    /^must be (\d+), after the line before$/,
    (value) => t('Enter {{value}}: it follows the step in the line before.', { value }),
  ],
  [/^must be that of step 1, or empty$/, () => t('Leave this empty, or repeat what step 1 has.')],
  [/^has no schedule$/, () => t('This step has no schedule.')],
  [/^must be 1 in the first line of a bottle$/, () => t('The first line of a bottle is step 1.')],
  [/^requires times, every or max_per_day$/, () => t('This needs a schedule: times, every or max_per_day.')],
  [
    /^must start with http:\/\/ or https:\/\/, without user and password$/,
    () => t('Enter an address that begins with https:// or http://, without user and password.'),
  ],
];
