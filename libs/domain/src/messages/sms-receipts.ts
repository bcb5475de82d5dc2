import type { Receipt } from '../notifications/delivery.js';

type State = Receipt['state'];

/** SMPP's error codes of a network that is busy: system error, queue full, throttled. */
const BUSY = /^NACK\/0x000000(?:08|14|58)\b/i;
/** SMPP's states of a message that could not be delivered yet, or in its time. */
const LATER = /stat:(?:EXPIRED|ENROUTE|ACCEPTD|UNKNOWN)/i;

/**
 * What a receipt of Kannel means; undefined for one that says nothing new.
 *
 * @param type Kannel's: 1 delivered, 2 not delivered, 4 queued, 8 taken by the network, 16 not taken
 * @param reply the network's words, as SMPP has them
 */
export function kannelReceipt(type: string, reply = ''): State | undefined {
  switch (type) {
    case '1':
      return 'delivered';
    case '2':
      return LATER.test(reply) ? 'failed' : 'refused';
    case '8':
      return 'accepted';
    case '16':
      return BUSY.test(reply) ? 'failed' : 'refused';
    default:
      return undefined;
  }
}

/** Twilio's codes of a number that takes no message: blocked, unknown, a landline, not mobile, or it replied STOP. */
const REFUSED_CODES = new Set(['30004', '30005', '30006', '21610', '21614']);

/** What a receipt of Twilio means; undefined for one that says nothing new. */
export function twilioReceipt(status: string, code: string | undefined): State | undefined {
  switch (status) {
    case 'delivered':
    case 'read':
      return 'delivered';
    case 'sent':
      return 'accepted';
    case 'undelivered':
    case 'failed':
      return code !== undefined && REFUSED_CODES.has(code) ? 'refused' : 'failed';
    default:
      return undefined;
  }
}
