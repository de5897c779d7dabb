// RFC 8785 in JavaScript, by the language's own means: the order of strings,
// Number::toString and JSON.stringify's escapes. What the text held is what
// JSON.parse makes of it, so duplicate names are gone before this code runs.
(function () {
  'use strict';
  const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]/;

  function writeString(s) {
    const text = JSON.stringify(s);
    // Only a lone surrogate, or the characters themselves, give these.
    if (text.includes('\\ud') && loneSurrogate.test(s)) {
      throw new TypeError('lone surrogate');
    }
    return text;
  }

  function writeNumber(n) {
    if (!Number.isFinite(n)) {
      throw new RangeError('not a finite number');
    }
    return String(n);
  }

  // Where calls have a small stack, the host gives a way to empty it.
  const rest = typeof giveWay === 'function' ? giveWay : function () {};

  function write(value) {
    if (typeof value === 'string') {
      return writeString(value);
    }
    if (typeof value === 'number') {
      return writeNumber(value);
    }
    if (value === null || typeof value === 'boolean') {
      return String(value);
    }
    rest();
    if (Array.isArray(value)) {
      return '[' + value.map(write).join(',') + ']';
    }
    return '{' + Object.keys(value).sort().map(function (name) {
      return writeString(name) + ':' + write(value[name]);
    }).join(',') + '}';
  }

  return {
    canonicalize: function (text) { return write(JSON.parse(text)); },
    number: writeNumber,
  };
})()
