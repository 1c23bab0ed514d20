/** What an element has to have itself to match a selector; empty where the selector says nothing of that. */
interface Needs {
  readonly tag: string | undefined;
  readonly classes: readonly string[];
}

const everything: readonly Needs[] = [{ tag: undefined, classes: [] }];
const known = new Map<string, readonly Needs[]>();
const split = new Map<string, ReadonlySet<string>>();

/** Whether an element of that name and those classes may match the selector. A quick guess that never excludes a match. */
export function couldMatch(selector: string, tag: string, classAttribute: string): boolean {
  const needs = remembered(known, selector, needsOf);
  const classes = remembered(split, classAttribute, (text) => new Set(text.split(/[\t\n\f\r ]+/)));
  return needs.some(
    (need) =>
      (need.tag === undefined || need.tag === tag.toLowerCase()) &&
      need.classes.every((name) => classes.has(name)),
  );
}

function remembered<Value>(values: Map<string, Value>, key: string, valueOf: (key: string) => Value): Value {
  let value = values.get(key);
  if (value === undefined) values.set(key, (value = valueOf(key)));
  return value;
}

/** By each selector of a list, from the names in its last compound that stand outside of parentheses and brackets. */
function needsOf(list: string): readonly Needs[] {
  // Escapes, namespaces and nesting are left to the selector engine.
  if (!/^[\w\s#.:>+~*,()[\]="'^$-]*$/.test(list)) return everything;
  return withoutArguments(list)
    .split(',')
    .map((selector) => {
      const compound =
        selector
          .trim()
          .split(/[\s>+~]+/)
          .at(-1) ?? '';
      const plain = compound.replaceAll(/::?[\w-]+/g, '');
      return {
        tag: /^[a-z][\w-]*/i.exec(plain)?.[0].toLowerCase(),
        classes: [...plain.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name),
      };
    });
}

/** Takes out what is in parentheses, brackets and quotes. */
function withoutArguments(list: string): string {
  let text = '';
  let quote = '';
  let depth = 0;
  for (const character of list) {
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    else if (depth === 0) text += character;
  }
  return text;
}
