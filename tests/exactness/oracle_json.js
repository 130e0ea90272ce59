// A base64 text a line, `1` where JSON.parse takes it. With the argument `jsonc`: comments and trailing commas as editors' settings
// files have them, by the package jsonc-parser where node finds it.
'use strict';
const lines = require('readline').createInterface({input: process.stdin});
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
let parses = text => JSON.parse(text);
if (process.argv[2] === 'jsonc') {
  const jsonc = require('jsonc-parser');
  parses = text => {
    const errors = [];
    jsonc.parse(text, errors, {allowTrailingComma: true});
    if (errors.length > 0) throw new Error('jsonc');
  };
}
lines.on('line', line => {
  let answer = '1';
  try {
    parses(decoder.decode(Buffer.from(line, 'base64')));
  } catch (error) {
    answer = error instanceof RangeError ? '?' : '0';
  }
  process.stdout.write(answer + '\n');
});
