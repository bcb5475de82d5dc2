import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';
import { isTransformed } from './body-metadata.js';

/** Whether a body is valid; it gives no reasons. */
export type CompiledCheck = (body: object) => boolean;

type Condition = (object: object, value: unknown) => boolean;

interface Validator {
  validate: (this: void, value: unknown, args: ValidationArguments) => unknown;
  constraints: unknown[];
}

interface Property {
  name: string;
  conditions: Condition[];
  validators: Validator[];
}

const fields = new WeakMap<Type<object>, Set<string>>();

/** The fields of a class that have decorators of class-validator: all that it accepts. */
export function fieldsOf(type: Type<object>): Set<string> {
  const known = fields.get(type) ?? new Set(rulesOf(type).map(({ propertyName }) => propertyName));
  fields.set(type, known);
  return known;
}

function rulesOf(type: Type<object>): Rule[] {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/**
 * Flattens a class's class-validator decorators into one list of their own validators, without the code that
 * collects messages. The validators are the same, so the two cannot disagree: whatever this accepts, class-validator
 * accepts, and both refuse unknown fields.
 *
 * The list is as fast as a compiled JSON Schema, which cannot express everything: `OnlyWhen` reads another field, and
 * class-validator counts characters differently (variation selectors).
 *
 * @returns undefined for a class that needs more than a yes or no: nested classes, groups, asynchronous validators,
 *   anything by which class-transformer would change the body.
 */
export function compileCheck(type: Type<object>): CompiledCheck | undefined {
  const rules = Object.entries(getMetadataStorage().groupByPropertyName(rulesOf(type)));
  const properties = rules.map(([name, ofField]) => compileProperty(name, ofField));
  if (properties.length === 0 || properties.includes(undefined)) return undefined;
  const known = fieldsOf(type);
  if (isTransformed(type, [...known])) return undefined;
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
