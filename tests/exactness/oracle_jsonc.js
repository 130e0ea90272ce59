// A base64 text a line, `1` where it is JSON with comments and with commas before closing brackets: written for this comparison, so that
// it shares nothing with the package jsonc-parser. Comments become blanks and such commas go, outside strings; JSON.parse takes the rest.
'use strict';
const lines = require('readline').createInterface({input: process.stdin});
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

function strip(text) {
  const out = [];      // pieces of the text that is left
  let last = '';       // the last character that is neither blank nor comment
  let comma = -1;      // where in `out` a comma stands that nothing but blanks has followed
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (c === '/' && (text[i + 1] === '/' || text[i + 1] === '*')) {
      const end = text[i + 1] === '*' ? text.indexOf('*/', i + 2) : text.slice(i).search(/[\n\r]/);
      if (text[i + 1] === '*' && end < 0) throw new SyntaxError('comment without an end');
      i = text[i + 1] === '*' ? end + 2 : end < 0 ? text.length : i + end;
      out.push(' ');
      continue;
    }
    if (c === '"') {
      let end = i + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      out.push(text.slice(i, end + 1));
      i = end + 1;
      last = '"';
      comma = -1;
      continue;
    }
    if ((c === ']' || c === '}') && comma >= 0) out[comma] = '';
    if (!/[ \t\n\r]/.test(c)) {
      comma = c === ',' && !'[{,:'.includes(last) ? out.length : -1;
      last = c;
    }
    out.push(c);
    i += 1;
  }
  return out.join('');
}

lines.on('line', line => {
  let answer = '1';
  try {
    JSON.parse(strip(decoder.decode(Buffer.from(line, 'base64'))));
  } catch (error) {
    answer = error instanceof RangeError ? '?' : '0';
  }
  process.stdout.write(answer + '\n');
});
