import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsIP, IsOptional, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import { CronTime } from 'cron';
import ms, { type StringValue } from 'ms';

const DURATION = /^\d+(ms|s|m|h|d)$/;

/** A duration such as `5m` or `14d`; the property, its default too, holds milliseconds. */
export function DurationSetting(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toMilliseconds(value), { toClassOnly: true }),
    Min(1, { message: '$property must be a duration such as 500ms, 30s, 5m, 12h or 14d' }),
    IsInt({ message: '$property must be a duration such as 500ms, 30s, 5m, 12h or 14d' }),
  );
}

function toMilliseconds(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DURATION.test(value) ? ms(value as StringValue) : Number.NaN;
}

/** The address of this machine at which a service listens. */
export function ListenSetting(): PropertyDecorator {
  return IsIP(undefined, {
    message: '$property must be an IP address, such as 127.0.0.1, or 0.0.0.0 for all',
  });
}

/** The key that opens what operators read, or `off`. */
export function OperationsKeySetting(): PropertyDecorator {
  return OptionalText(
    /^(off|[\w.~+/=-]{32,512})$/,
    'must be off, or 32 to 512 letters, digits or . _ ~ + / = -',
  );
}

/** What a gateway sends with each reply of a person, as the password of HTTP Basic. */
export function IncomingKey(): PropertyDecorator {
  return OptionalText(/^[\w.~-]{32,128}$/, 'must be 32 to 128 letters, digits or . _ ~ -');
}

/** The secret of Standard Webhooks, or two during a rotation. */
export function WebhookSecret(): PropertyDecorator {
  return Matches(/^whsec_[A-Za-z0-9+/=]{16,}( whsec_[A-Za-z0-9+/=]{16,})*$/, {
    message:
      '$property must be whsec_ and base64; during a rotation, the new and the old one separated by a space',
  });
}

/** A TCP port; 0 asks the system for a free one. */
export function PortSetting(): PropertyDecorator {
  return IntegerSetting(0, 65_535);
}

/** A whole number within bounds. */
export function IntegerSetting(min: number, max: number): PropertyDecorator {
  const message = `$property must be a whole number from ${min} to ${max}`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value), {
      toClassOnly: true,
    }),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** `true` or `false`. */
export function FlagSetting(): PropertyDecorator {
  return applyDecorators(
    Transform(
      ({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value),
      {
        toClassOnly: true,
      },
    ),
    IsBoolean({ message: '$property must be true or false' }),
  );
}

/** A cron expression of five fields, or six with seconds first, as @nestjs/schedule takes it. */
export function CronSetting(): PropertyDecorator {
  return ValidateBy({
    name: 'cron',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isCron(value),
      defaultMessage: () => '$property must be a cron expression',
    },
  });
}

function isCron(expression: string): boolean {
  try {
    // an expression that never comes round, such as 30 February, throws only when the next time is asked for
    return new CronTime(expression).sendAt().isValid;
  } catch {
    return false;
  }
}

/** The secret that signs the links in messages, or two during a rotation; without it there are none. */
export function LinkSecret(): PropertyDecorator {
  return OptionalText(
    /^\S{32,}( \S{32,})?$/,
    'must have at least 32 characters; during a rotation, the new and the old one separated by a space',
  );
}

/** By which push services know who sends. */
export function PushSecret(): PropertyDecorator {
  return OptionalText(/^\S{32,}$/, 'must have at least 32 characters and no spaces');
}

/** An address that is reached over HTTP. */
export function HttpUrl(): PropertyDecorator {
  return Matches(/^https?:\/\/\S+$/, { message: '$property must start with http:// or https://' });
}

/** The proxies whose X-Forwarded-For is trusted: addresses or networks. Default: none. */
export function TrustedProxies(): PropertyDecorator {
  return OptionalText(
    /^[0-9a-f.:/]+(, ?[0-9a-f.:/]+)*$/i,
    'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  );
}

/** A string that may be left out. */
export function OptionalText(pattern = /^[\s\S]+$/, hint = 'must not be empty'): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsString({ message: '$property must be a string' }),
    Matches(pattern, { message: `$property ${hint}` }),
  );
}

/** At most so many `times` in so many `seconds`. */
export interface RateLimit {
  times: number;
  seconds: number;
}

const RATE_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** A limit such as `5/s`, `60/m` or `1000/h`, or `off`, which leaves the property undefined. */
export function RateLimitSetting(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toRateLimit(value), { toClassOnly: true }),
    ValidateBy({
      name: 'rateLimit',
      validator: {
        validate: (value: unknown) => value === undefined || typeof value === 'object',
        defaultMessage: () => '$property must be off, or a limit such as 60/m',
      },
    }),
  );
}

/** Anything else stays as it is, for the validator to refuse. */
function toRateLimit(value: unknown): unknown {
  if (value === 'off') return undefined;
  const [, times, unit] = /^([1-9]\d{0,6})\/([smh])$/.exec(typeof value === 'string' ? value : '') ?? [];
  return times && unit ? { times: Number(times), seconds: RATE_SECONDS[unit]! } : value;
}
