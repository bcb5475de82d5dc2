import { DeliveryError, type RefusedAddress } from '../../channel.js';

/** One text to one number. */
export interface Sms {
  /** E.164. */
  to: string;
  text: string;
  /** Where the gateway reports what becomes of it; undefined if it is not asked to. */
  receipts?: string | undefined;
}

/** A provider of SMS, by its API over HTTP. */
export interface SmsGateway {
  /** The request that hands a text over. */
  request(sms: Sms): GatewayRequest;
  /** Where it is asked whether it answers. */
  readonly asked: URL;
  /** What an answer that is no success means. */
  failureOf(status: number, body: string): DeliveryError;
}

export interface GatewayRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** A number that takes no SMS: trying again cannot help. */
export function refusedNumber(message: string, status: number, refusal: RefusedAddress): DeliveryError {
  return new DeliveryError(message, { permanent: true, status, refusal });
}
