import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  Validate,
  ValidateBy,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { compileCheck } from './compiled-check.js';
import { EnumField, InstantField, IntegerField, OnlyWhen, TextField } from './fields.js';

class Dose {
  @EnumField(['taken', 'missed'])
  outcome: string;

  @OnlyWhen('outcome', 'taken')
  @IntegerField({ optional: true, min: 1, max: 9 })
  pills?: number;

  @InstantField({ optional: true })
  at?: string;

  @TextField({ optional: true, max: 3 })
  note?: string;

  @Allow()
  anything?: unknown;
}

class LateDose extends Dose {
  @IsDefined()
  by: unknown;
}

describe('what it compiles', () => {
  const check = compileCheck(Dose)!;

  it.each<[boolean, object]>([
    [true, { outcome: 'missed' }],
    [true, { outcome: 'taken', pills: 9, at: '2026-03-02T08:00:00Z', note: 'abc', anything: { a: [1] } }],
    [false, {}],
    [false, { outcome: 'lost' }],
    [false, { outcome: 'missed', pills: 1 }],
    [false, { outcome: 'taken', pills: 10 }],
    [false, { outcome: 'taken', pills: null }],
    [false, { outcome: 'taken', note: 'abcd' }],
    [false, { outcome: 'taken', at: '2026-02-30T08:00:00Z' }],
    [false, { outcome: 'taken', unknown: 1 }],
    [false, { outcome: 'taken', constructor: 1 }],
  ])('says %s of %j', (accepted, body) => expect(check(body)).toBe(accepted));

  it('knows the rules of the class above', () => {
    const late = compileCheck(LateDose)!;
    expect(late({ outcome: 'taken', by: null })).toBe(false);
    expect(late({ outcome: 'taken', by: 1 })).toBe(true);
    expect(late({ by: 1 })).toBe(false);
  });
});

describe('what it leaves to class-validator', () => {
  class Nested {
    @ValidateNested()
    dose: Dose;
  }
  class Listed {
    @IsString({ each: true })
    notes: string[];
  }
  class Grouped {
    @IsInt({ groups: ['staff'] })
    count: number;
  }
  class Conditional {
    @IsInt({ validateIf: () => false })
    count: number;
  }
  @ValidatorConstraint({ async: true })
  class Slow {
    validate = async (): Promise<boolean> => true;
  }
  class Asynchronous {
    @Validate(Slow)
    count: number;
  }
  class Typed {
    @Type(() => Dose)
    @Allow()
    dose: Dose;
  }
  class Transformed {
    @Transform(() => 1)
    @IsInt()
    count: number;
  }
  class Renamed {
    @Expose({ name: 'number' })
    @IsInt()
    count: number;
  }
  class Hidden {
    @Exclude()
    @IsInt()
    count: number;
  }
  @Exclude()
  class AllHidden {
    @IsInt()
    count: number;
  }
  class Bare {
    count: number;
  }

  it.each([
    [Nested],
    [Listed],
    [Grouped],
    [Conditional],
    [Asynchronous],
    [Typed],
    [Transformed],
    [Renamed],
    [Hidden],
    [AllHidden],
    [Bare],
  ])('%p', (type) => expect(compileCheck(type)).toBeUndefined());

  it('what a validator promises', () => {
    class Promised {
      @ValidateBy({ name: 'promised', validator: { validate: () => Promise.resolve(true) } })
      @IsOptional()
      count?: number;
    }
    expect(compileCheck(Promised)!({ count: 1 })).toBe(false);
  });
});
