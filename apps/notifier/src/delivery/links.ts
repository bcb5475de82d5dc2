import type { Delivery } from '#persistence';
import { Clock, signLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

const LIFETIME_MS = 3 * 24 * 60 * 60_000;

/** The links in messages: signed, for one purpose, and good for three days. */
@Injectable()
export class Links {
  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** Where this recipient can acknowledge the alert; undefined when no links are set up. */
  acknowledge({ alert_id, recipient }: Delivery): string | undefined {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return undefined;
    const token = signLink(LINK_SECRET, {
      purpose: 'acknowledge',
      alert_id: alert_id.toHexString(),
      recipient,
      expires_at: new Date(this.clock.now().getTime() + LIFETIME_MS),
    });
    return `${PUBLIC_URL.replace(/\/$/, '')}/a/${token}`;
  }
}
