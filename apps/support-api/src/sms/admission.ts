import { type Admission, Problem } from '#platform';
import type { SmsService } from './sms.service.js';

/**
 * Lets requests of gateways pass before their bodies are read: receipts at addresses that we signed, and messages from
 * people with the gateway's key.
 *
 * @throws Problem 401, also without SMS_INCOMING_KEY; 404 if the address of a receipt is not ours, or too old
 */
export function gatewayAdmission(sms: SmsService): Admission {
  return (request, reply) => {
    const { token } = request.params as { token?: string };
    if (token !== undefined) return void sms.attemptOf(token);
    if (sms.isGateway(request.headers.authorization)) return undefined;
    // a gateway asks without its key first
    void reply.header('www-authenticate', 'Basic realm="sms"');
    throw new Problem(401, 'gateway_key_required', 'Send SMS_INCOMING_KEY as the password.');
  };
}
