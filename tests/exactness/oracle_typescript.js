// A base64 text a line; a digit for each parser, `1` where it takes the text as a module or as a script: TypeScript's own parser
// without a diagnostic, then babel's with the plugin for TypeScript. `?` where babel minds names alone: one declared twice, or
// exported and not declared. Behind them the byte of TypeScript's first diagnostic. Needs the packages typescript 5 and
// @babel/parser 7 where node finds them (NODE_PATH). With the argument `tsx` both read TSX, with `jsx` JavaScript with JSX.
'use strict';
const ts = require('typescript');
const babel = require('@babel/parser');
const lines = require('readline').createInterface({input: process.stdin});
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const ofNames = new Set(['VarRedeclaration', 'DuplicateExport', 'DuplicateDefaultExport', 'ModuleExportUndefined', 'InvalidPrivateFieldResolution',
  'PrivateNameRedeclaration', 'LabelRedeclaration', 'IllegalBreakContinue', 'ParamDupe']);
const variant = process.argv[2] || 'ts';
const kind = {ts: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX, jsx: ts.ScriptKind.JSX}[variant];
const plugins = [...(variant === 'jsx' ? [] : ['typescript']), ...(variant === 'ts' ? [] : ['jsx']), 'decorators', 'decoratorAutoAccessors', 'explicitResourceManagement'];

// The byte of the first diagnostic; null where there is none.
const placeOf = text => {
  const parsed = ts.createSourceFile(`a.${variant}`, text, ts.ScriptTarget.Latest, false, kind);
  if (parsed.parseDiagnostics.length === 0) return null;
  return Buffer.byteLength(text.slice(0, Math.min(...parsed.parseDiagnostics.map(found => found.start))));
};

const verdictOf = (text, options) => {
  try {
    const parsed = babel.parse(text, {plugins, errorRecovery: true, ranges: false, ...options});
    const wrong = (parsed.errors || []).filter(error => !ofNames.has(error.reasonCode));
    return wrong.length > 0 ? '0' : parsed.errors.length > 0 ? '?' : '1';
  } catch (error) {
    return '0';
  }
};

lines.on('line', line => {
  let answer = '00';
  try {
    const text = decoder.decode(Buffer.from(line, 'base64'));
    const place = placeOf(text);
    const verdicts = [verdictOf(text, {sourceType: 'module'}), verdictOf(text, {sourceType: 'script'})];
    answer = (place === null ? '1' : '0') + ['1', '?', '0'].find(verdict => verdicts.includes(verdict));
    if (place !== null) answer += ' ' + place;
  } catch {}
  process.stdout.write(answer + '\n');
});
