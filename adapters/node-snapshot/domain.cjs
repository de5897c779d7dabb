'use strict';
// The strict snapshot domain of RFC-0016 for JavaScript values, by property
// descriptors: gives the canonical form, or throws the reason of the refusal.
// Everything that it uses is taken before any script runs.
const { types } = require('node:util');
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { isArray } = Array, { stringify, isRawJSON } = JSON, text = String;
const method = Function.prototype.bind.bind(Function.prototype.call);
const hasOwn = method(Object.prototype.hasOwnProperty), sort = method(Array.prototype.sort);
const get = method(Map.prototype.get), set = method(Map.prototype.set), wellFormed = method(String.prototype.isWellFormed);
const slots = [[WeakRef.prototype.deref, []], [FinalizationRegistry.prototype.unregister, [{}]]];
const record = Object.prototype, array = Array.prototype, { apply } = Reflect, MapOf = Map;

const brands = ['isProxy', 'isDate', 'isRegExp', 'isMap', 'isSet', 'isWeakMap', 'isWeakSet', 'isNativeError', 'isPromise',
  'isAnyArrayBuffer', 'isArrayBufferView', 'isBoxedPrimitive', 'isArgumentsObject', 'isGeneratorObject', 'isMapIterator',
  'isSetIterator', 'isModuleNamespaceObject', 'isExternal'].map((name) => types[name]);

function isHost(v) {
  for (let i = 0; i < brands.length; i++) if (brands[i](v)) return true;
  for (let i = 0; i < slots.length; i++) try { apply(slots[i][0], v, slots[i][1]); return true; } catch { /* not one */ }
  return isRawJSON !== undefined && isRawJSON(v);
}

function string(s) { if (!wellFormed(s)) throw 'lone_surrogate'; return stringify(s); }

function own(o, key, seen, depth) {
  const d = getOwnPropertyDescriptor(o, key);
  if (!hasOwn(d, 'value')) throw 'accessor_property';
  if (!d.enumerable) throw 'non_enumerable_property';
  return value(d.value, seen, depth + 1);
}

function value(v, seen, depth) {
  switch (typeof v) {
    case 'string': return string(v);
    case 'boolean': return v ? 'true' : 'false';
    case 'number':
      if (v - v !== 0) throw 'non_finite_number';
      if (v === 0 && 1 / v < 0) throw 'negative_zero';
      return text(v);
    case 'object': break;
    default: throw 'unsupported_type';
  }
  if (v === null) return 'null';
  if (isHost(v)) throw 'host_object';
  const state = get(seen, v);
  if (state !== undefined) throw state === 'open' ? 'cycle' : 'repeated_reference';
  set(seen, v, 'open');
  if (depth > 1000) throw 'limit_depth';
  const out = isArray(v) ? elements(v, seen, depth) : members(v, seen, depth);
  set(seen, v, 'closed');
  return out;
}

function elements(v, seen, depth) {
  if (getPrototypeOf(v) !== array) throw 'non_plain_array';
  const keys = ownKeys(v), n = v.length; // the length of an array is its own
  for (let i = 0; i < keys.length; i++) if (typeof keys[i] === 'symbol') throw 'symbol_key';
  for (let i = 0; i < n && i < keys.length; i++) if (keys[i] !== text(i)) throw 'sparse_array'; // indices come first, in order
  if (keys.length <= n) throw 'sparse_array';
  if (keys.length > n + 1) throw 'array_extra_property';
  let out = '';
  for (let i = 0; i < n; i++) out += (i ? ',' : '') + own(v, text(i), seen, depth);
  return '[' + out + ']';
}

function members(v, seen, depth) {
  const proto = getPrototypeOf(v);
  if (proto !== null && proto !== record) throw 'non_plain_object';
  const keys = ownKeys(v);
  for (let i = 0; i < keys.length; i++) if (typeof keys[i] === 'symbol') throw 'symbol_key';
  sort(keys); // by code units
  let out = '';
  for (let i = 0; i < keys.length; i++) out += (i ? ',' : '') + string(keys[i]) + ':' + own(v, keys[i], seen, depth);
  return '{' + out + '}';
}

exports.snapshot = (v) => value(v, new MapOf(), 1);
