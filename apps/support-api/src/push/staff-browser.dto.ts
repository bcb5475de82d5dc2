import { InstantField, ListField, TextField } from '#platform';

/** A browser to add: what its subscription has (W3C Push API). */
export class AddStaffBrowserDto {
  @TextField({ max: 1_000, description: 'Where its push service takes messages.' })
  endpoint: string;

  @TextField({ max: 100, description: 'Its public key, base64url.' })
  p256dh: string;

  @TextField({ max: 100, description: 'The secret that it shares, base64url.' })
  auth: string;
}

export class RemoveStaffBrowserQuery {
  @TextField({ max: 100 })
  id: string;
}

export class StaffBrowserDto {
  @TextField({ description: 'The SHA-256 of its endpoint, base64url.' })
  id: string;

  @TextField({ description: 'What it called itself.', example: 'Firefox, Windows' })
  name: string;

  @InstantField({ description: 'When it was added.' })
  since: Date;
}

export class StaffBrowsersDto {
  @TextField({
    nullable: true,
    description: 'The public key that browsers subscribe with, base64url; null: none can be added.',
  })
  push_key: string | null;

  @ListField(() => StaffBrowserDto, { description: 'In the order in which they were added.' })
  items: StaffBrowserDto[];
}
