import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

type Catalogue = Record<string, string>;

const FOLDER = 'apps/console/src';

const catalogue = (language: string): Catalogue =>
  JSON.parse(readFileSync(join(FOLDER, 'i18n', `${language}.json`), 'utf8')) as Catalogue;

/** A text of the source. */
interface Text {
  where: string;
  /** In English; undefined if it, or its context, is not a literal. */
  text: string | undefined;
  context: string | undefined;
  isPlural: boolean;
}

/** Every text that the source passes to `t` or `<Trans>`. */
function textsOf(path: string): Text[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const add = (node: ts.Node, literal: ts.Node | undefined, options: ReadonlyMap<string, ts.Node>): void => {
    const [text, context] = [literal, options.get('context')].map((part) =>
      part && ts.isStringLiteralLike(part) ? part.text : undefined,
    );
    const where = `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const isReadable = text !== undefined && options.has('context') === (context !== undefined);
    texts.push({ where, text: isReadable ? text : undefined, context, isPlural: options.has('count') });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
      add(node, node.arguments[0], optionsOf(node.arguments[1]));
    } else if (ts.isJsxSelfClosingElement(node) && node.tagName.getText() === 'Trans') {
      const attributes = attributesOf(node);
      add(node, attributes.get('i18nKey'), attributes);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function optionsOf(node: ts.Node | undefined): Map<string, ts.Node> {
  if (!node || !ts.isObjectLiteralExpression(node)) return new Map();
  return new Map(
    node.properties.flatMap((property) =>
      property.name
        ? [[property.name.getText(), ts.isPropertyAssignment(property) ? property.initializer : property]]
        : [],
    ),
  );
}

function attributesOf({ attributes }: ts.JsxSelfClosingElement): Map<string, ts.Node> {
  return new Map(
    attributes.properties.filter(ts.isJsxAttribute).map(({ name, initializer }) => {
      const value = initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer;
      return [name.getText(), value!];
    }),
  );
}

/** What a text interpolates, and its tags. */
const partsOf = (text: string): string[] =>
  [...new Set(text.match(/\{\{\w+|<\w+/g))].filter((part) => part !== '{{count').toSorted();

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.spec.ts'))
  .map((file) => join(FOLDER, file));
const texts = files.flatMap(textsOf);
const used = new Set(
  texts.flatMap(({ text, context, isPlural }) => {
    if (text === undefined) return [];
    const key = context === undefined ? text : `${text}_${context}`;
    return isPlural ? [`${key}_one`, `${key}_other`] : [key];
  }),
);
const [german, english] = [catalogue('de'), catalogue('en')];

it('reads every key', () => {
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter(({ text }) => text === undefined).map(({ where }) => where)).toEqual([]);
});

it('the German catalogue has every text, and none that is not used', () => {
  const known = Object.keys(german);
  expect([...used].filter((key) => !known.includes(key))).toEqual([]);
  expect(known.filter((key) => !used.has(key))).toEqual([]);
});

it('the English catalogue has the singular of every plural, and nothing else', () => {
  const singulars = texts.filter(({ isPlural }) => isPlural).map(({ text }) => `${text!}_one`);
  expect(Object.keys(english).toSorted()).toEqual([...new Set(singulars)].toSorted());
});

it('a translation has the values and the elements of its text', () => {
  const differing = Object.entries({ ...german, ...english }).filter(
    ([key, text]) => partsOf(key).join(' ') !== partsOf(text).join(' '),
  );
  expect(differing.map(([key]) => key)).toEqual([]);
});
