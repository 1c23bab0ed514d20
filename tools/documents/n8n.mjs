// Runs a flow of n8n as far as its nodes are of the kinds below, for test_recipes.py: `node n8n.mjs FLOW`, with a request to its
// webhook, the secret and what takes the place of the provider on standard input. Prints what became of it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AsyncFunction = (async () => undefined).constructor;
const { headers, body, replace, known } = JSON.parse(readFileSync(0, 'utf8'));
const flow = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const node = (name) => flow.nodes.find((each) => each.name === name);
const outputs = new Map();
const statics = known;

/** What `={{ … }}` in a parameter comes to; a parameter without `=` before it is taken as it is. */
function evaluated(text, $json) {
  if (!text.startsWith('=')) return text;
  const parts = text.slice(1).split(/\{\{(.*?)\}\}(?!\})/s);
  return parts.map((part, at) => (at % 2 ? String(new Function('$json', `return (${part})`)($json)) : part)).join('');
}

const replaced = (text) => replace.reduce((all, [from, to]) => all.replaceAll(from, to), text);

const kinds = {
  async 'n8n-nodes-base.code'({ jsCode }, items) {
    const buffer = async (_, name) => Buffer.from(items[0].binary[name], 'base64');
    const names = ['$input', '$', '$getWorkflowStaticData', 'require'];
    const run = new AsyncFunction(...names, replaced(jsCode));
    const values = [
      { first: () => items[0], all: () => items },
      (name) => ({ first: () => outputs.get(name)[0] }),
      () => statics,
      createRequire(import.meta.url),
    ];
    return run.apply({ helpers: { getBinaryDataBuffer: buffer } }, values);
  },
  async 'n8n-nodes-base.httpRequest'(parameters, items) {
    const results = [];
    for (const { json } of items) {
      const answer = await fetch(replaced(evaluated(parameters.url, json)), {
        method: parameters.method,
        headers: { 'content-type': 'application/json', authorization: 'Bearer the-credential' },
        body: evaluated(parameters.jsonBody, json),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      results.push({ json: await answer.json() });
    }
    return results;
  },
};

const [trigger] = flow.nodes.filter((each) => each.type === 'n8n-nodes-base.webhook');
outputs.set(trigger.name, [{ json: { headers }, binary: { data: body } }]);
const visited = [trigger.name];
let failure = null;
try {
  for (let name = trigger.name; outputs.get(name).length > 0; ) {
    const next = flow.connections[name]?.main[0][0]?.node;
    if (next === undefined) break;
    const { type, parameters } = node(next);
    outputs.set(next, await kinds[type](parameters, outputs.get(name)));
    visited.push(next);
    name = next;
  }
} catch (error) {
  failure = error.message;
}
console.log(JSON.stringify({ visited, failure, known: statics }));
