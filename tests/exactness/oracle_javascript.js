// A base64 text a line, `1` where node takes it: as a script, as the body of a CommonJS module, or as a module of ECMAScript. `?`
// where names alone are wrong: one declared twice, or used and not declared. Nothing is run. Needs node's flag
// --experimental-vm-modules.
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
  } catch {}
  process.stdout.write(answer + '\n');
});
