// Lets Touchstone ask the repository's canonicalize.js by the line protocol.
const { createInterface } = require('node:readline');
const canonicalize = require('./build/node-es6/canonicalize.js');
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function answer(op, hex) {
  if (op !== 'canon') return 'skip';
  try {
    return 'ok ' + (Buffer.from(canonicalize(JSON.parse(decoder.decode(Buffer.from(hex === '-' ? '' : hex, 'hex'))))).toString('hex') || '-');
  } catch (refusal) {
    return 'reject - ' + Buffer.from(String(refusal).slice(0, 200)).toString('hex');
  }
}

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const [id, op, payload] = line.split(' ');
  if (id === 'bye' || (id === 'hello' && payload !== 'profile=rfc8785')) process.exit();
  process.stdout.write((id === 'hello' ? 'hello 1 name=cyberphone-javascript window=64' : `${id} ${answer(op, payload)}`) + '\n');
});
