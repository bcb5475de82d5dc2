import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** What a documented answer says of a field that may be null. */
interface ShownOptions {
  description?: string;
  nullable?: boolean;
}

const as = (type: string, options: ShownOptions, more: object = {}): PropertyDecorator => {
  const { description, nullable } = options;
  return ApiProperty({
    type: nullable ? [type, 'null'] : type,
    ...more,
    ...(description ? { description } : {}),
  } as unknown as ApiPropertyOptions);
};

/** An instant in an answer: a Date here, ISO 8601 on the wire. */
export const Time = (options: ShownOptions = {}): PropertyDecorator =>
  as('string', options, { format: 'date-time' });
export const Id = (options: ShownOptions = {}): PropertyDecorator =>
  as('string', options, { pattern: '^[0-9a-f]{24}$' });
export const Text = (options: ShownOptions = {}): PropertyDecorator => as('string', options);
export const Count = (options: ShownOptions = {}): PropertyDecorator => as('number', options);
export const Word = (values: readonly string[], options: ShownOptions = {}): PropertyDecorator =>
  as('string', options, { enum: [...values] });
/** Any JSON object. */
export const Json = (options: ShownOptions = {}): PropertyDecorator =>
  as('object', options, { additionalProperties: true });
