// A base64 text a line, `1` where node takes it: as a script, as the body of a CommonJS module, or as a module of ECMAScript. `?`
// where names alone are wrong: one declared twice, or used and not declared. Nothing is run. Needs node's flag
// --experimental-vm-modules. Behind `0` the byte of the first error of the way that comes farthest; not for a module, whose errors
// carry no place.
'use strict';
const vm = require('vm');
const lines = require('readline').createInterface({input: process.stdin});
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
process.removeAllListeners('warning');
const ways = [
  text => new vm.Script(text),
  text => vm.compileFunction(text.replace(/^#!.*/, '')),
  text => new vm.SourceTextModule(text),
];
const ofNames = /has already been declared|Duplicate (parameter name|export)|is not defined in module|must be declared in an enclosing class|Undefined label/;
const ofModules = /^(Cannot use 'import|Cannot use import|Unexpected token 'export'|await is only valid)/;

// The byte that the two lines under the name of a text show in an error's stack: a line of the text, and signs under the error.
const placeOf = (parse, text) => {
  try {
    parse(text);
  } catch (error) {
    const shown = /^[^\n]*:(\d+)\n[^\n]*\n( *)\^/.exec(error.stack);
    if (!shown || ofModules.test(error.message)) return null;
    const ends = [...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)];
    const above = shown[1] > 1 ? ends[shown[1] - 2] : {index: 0, 0: ''};
    const at = above.index + above[0].length + shown[2].length;
    return Buffer.byteLength(text.slice(0, at));
  }
  return null;
};

const verdictOf = (parse, text) => {
  try {
    parse(text);
    return '1';
  } catch (error) {
    return ofNames.test(error.message) ? '?' : '0';
  }
};
lines.on('line', line => {
  let answer = '0';
  try {
    const text = decoder.decode(Buffer.from(line, 'base64'));
    const verdicts = ways.map(parse => verdictOf(parse, text));
    answer = ['1', '?', '0'].find(verdict => verdicts.includes(verdict));
    const places = answer === '0' ? [placeOf(ways[0], text), placeOf(ways[1], text)] : [null];
    if (!places.includes(null)) answer += ' ' + Math.max(...places);
  } catch {}
  process.stdout.write(answer + '\n');
});
