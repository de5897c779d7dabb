// Lets Touchstone ask the npm packages of this folder by the line protocol,
// each as its users use it: JSON.parse, then the package. The first argument
// is the package's name in package.json.
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const load = async (name) => (await import(name)).default;

// How each package is called where it is not by its default export.
const uses = {
  'json-canonicalize-1.2.0': async () => require('json-canonicalize-1.2.0').canonicalize,
  'json-canonicalize-3.0.1': async () => (await import('json-canonicalize-3.0.1')).canonicalize,
  '@truestamp/canonify': async () => (await import('@truestamp/canonify')).canonify,
  '@sigstore/core': async () => require('@sigstore/core').json.canonicalize,
  '@tufjs/canonical-json': async () => require('@tufjs/canonical-json').canonicalize,
  '@stratumn/canonicaljson': async () => require('@stratumn/canonicaljson').stringify,
  'another-json': async () => require('another-json').encodeCanonical ?? require('another-json').stringify,
  canonicaljson: async () => require('canonicaljson').stringify,
  ai: async () => approvals(),
};

// approvals gives the function by which the package ai writes the arguments of
// a tool call before it hashes them for an approval. It is not exported, so it
// is cut out of the file.
function approvals() {
  const source = readFileSync(new URL('./node_modules/ai/dist/index.js', import.meta.url), 'utf8');
  const begin = source.indexOf('function canonicalJSON(value) {');
  const end = source.indexOf('\n}\n', begin);
  if (begin < 0 || end < 0) throw new Error('ai has no canonicalJSON any more');
  return new Function(source.slice(begin, end + 2) + '\nreturn canonicalJSON;')();
}

const name = process.argv[2];
const write = await (uses[name] ?? (() => load(name)))();
const { version } = JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url), 'utf8'));
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function answer(op, hex) {
  if (op !== 'canon') return 'skip';
  try {
    const out = write(JSON.parse(decoder.decode(Buffer.from(hex === '-' ? '' : hex, 'hex'))));
    if (typeof out !== 'string') throw new TypeError(`it gave ${typeof out}`);
    return 'ok ' + (Buffer.from(out).toString('hex') || '-');
  } catch (refusal) {
    return 'reject - ' + Buffer.from(String(refusal).slice(0, 200)).toString('hex');
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [id, op, payload] = line.split(' ');
  if (id === 'bye' || (id === 'hello' && payload !== 'profile=rfc8785')) process.exit();
  process.stdout.write((id === 'hello' ? `hello 1 name=${name} version=${version} window=64` : `${id} ${answer(op, payload)}`) + '\n');
}
