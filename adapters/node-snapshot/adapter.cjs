'use strict';
// Speaks the line protocol for the operation js: evaluates a script and gives
// the snapshot of its value by domain.cjs. Run it by
//   touchstone check --profile rfc0016 --wire --vector 'js-*' --cases 0 -- node adapter.cjs
const { snapshot } = require('./domain.cjs');
const vm = require('node:vm');
const { from } = Buffer, { parse } = JSON, evaluate = eval, write = process.stdout.write.bind(process.stdout);
const features = { rawjson: () => typeof JSON.rawJSON === 'function' };
globalThis.realm = (source) => vm.runInNewContext(source);

function answer(input) {
  const { setup, expr, teardown, needs } = parse(from(input, 'hex').toString());
  if (needs in features && !features[needs]()) return 'skip';
  let out;
  try {
    if (setup) evaluate(setup);
    const v = evaluate('(' + expr + '\n)');
    try { out = 'ok ' + from(snapshot(v)).toString('hex'); } catch (reason) { out = 'reject ' + (typeof reason === 'string' ? reason : '-'); }
  } catch { out = 'error'; }
  if (teardown) evaluate(teardown);
  return out;
}

let rest = '';
process.stdin.setEncoding('latin1').on('data', (data) => {
  const lines = (rest + data).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const [id, op, input] = line.split(' ');
    if (id === 'bye') process.exit(0);
    else if (id === 'hello') { if (input !== 'profile=rfc0016') process.exit(0); write(`hello 1 name=node-snapshot version=${process.version} ops=js reasons=1\n`); }
    else write(`${id} ${op === 'js' ? answer(input) : 'skip'}\n`);
  }
});
