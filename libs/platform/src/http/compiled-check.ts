import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';

/** Says whether a body is right, and never why it is not. */
export type CompiledCheck = (body: object) => boolean;

type Condition = (object: object, value: unknown) => boolean;

interface Validator {
  validate: (this: void, value: unknown, args: ValidationArguments) => unknown;
  constraints: unknown[];
}

/** class-transformer's own number for it. */
const PLAIN_TO_CLASS = 0;

interface Property {
  name: string;
  conditions: Condition[];
  validators: Validator[];
}

/**
 * Lays a class's class-validator decorators out as one list of their own validators, without the machinery that
 * gathers messages. Nothing is translated, so the two cannot disagree about what is right: what this accepts,
 * class-validator accepts, and unknown fields are refused by both.
 *
 * A list is as fast as a compiled JSON Schema, which could not say all of it: `OnlyWhen` looks at another field,
 * and class-validator counts text otherwise than JSON Schema does (variation selectors).
 *
 * @returns undefined for a class with something that has more to it than yes or no: nested classes, groups,
 *   asynchronous validators, anything by which class-transformer would change the body.
 */
export function compileCheck(type: Type<object>): CompiledCheck | undefined {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(type, '', false, false);
  const rules = Object.entries(storage.groupByPropertyName(metadata));
  const properties = rules.map(([name, ofField]) => compileProperty(name, ofField));
  const known = new Set(properties.map((property) => property?.name));
  if (properties.length === 0 || known.has(undefined)) return undefined;
  if (
    isTransformed(
      type,
      rules.map(([name]) => name),
    )
  )
    return undefined;
  return (body) =>
    Object.keys(body).every((field) => known.has(field)) &&
    properties.every((property) => accepts(property!, body as Record<string, unknown>, type.name));
}

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function compileProperty(name: string, rules: Rule[]): Property | undefined {
  const property: Property = { name, conditions: [], validators: [] };
  for (const rule of rules) {
    if (rule.each || rule.validateIf || rule.groups?.length) return undefined;
    switch (rule.type) {
      case ValidationTypes.WHITELIST:
        break;
      case ValidationTypes.CONDITIONAL_VALIDATION:
        property.conditions.push(rule.constraints[0] as Condition);
        break;
      case ValidationTypes.IS_DEFINED:
      case ValidationTypes.CUSTOM_VALIDATION:
        for (const constraint of getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls)) {
          if (constraint.async) return undefined;
          const { instance } = constraint;
          const validate: Validator['validate'] = (value, args) => instance.validate(value, args);
          property.validators.push({ validate, constraints: rule.constraints });
        }
        break;
      default:
        return undefined;
    }
  }
  return property;
}

function accepts(
  { name, conditions, validators }: Property,
  body: Record<string, unknown>,
  targetName: string,
): boolean {
  const value = body[name];
  for (const applies of conditions) if (!applies(body, value)) return true;
  for (const { validate, constraints } of validators) {
    // a promise is not true either: an undeclared asynchronous validator accepts nothing here
    if (validate(value, { value, constraints, targetName, object: body, property: name }) !== true)
      return false;
  }
  return true;
}

/** Whether class-transformer would make something else of the body than a copy of it. */
function isTransformed(type: Type<object>, names: string[]): boolean {
  // what is said of the class itself stands under no name
  return [...names, undefined as never].some(
    (name) =>
      defaultMetadataStorage.findTypeMetadata(type, name) !== undefined ||
      defaultMetadataStorage.findExposeMetadata(type, name) !== undefined ||
      defaultMetadataStorage.findExcludeMetadata(type, name) !== undefined ||
      defaultMetadataStorage.findTransformMetadatas(type, name, PLAIN_TO_CLASS).length > 0,
  );
}
