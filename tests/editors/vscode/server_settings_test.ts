import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { suite, test } from 'node:test';

import {
  folderSettings,
  kBudgets,
  kList,
  kOfClient,
  kOfFolder,
  kOfProgram,
  kOfUser,
  programArguments,
  userSettings,
} from '../../../editors/vscode/src/server_settings';

// What the server is told where nobody has given anything.
const kOwn = { ...kList, ...kBudgets };

suite('ServerSettings', () => {
  test('pass on what was given and nothing else', () => {
    assert.deepEqual(programArguments({}), ['--stdio']);
    assert.deepEqual(userSettings({}), {});
    assert.deepEqual(folderSettings({ maxTokens: 32, multiline: null }), { ...kOwn, maxTokens: 32 });
  });

  test('let an answer take long unless somebody has given a time', () => {
    const { 'completion.automaticBudgetMs': automatic, 'completion.invokedBudgetMs': invoked } = folderSettings({});
    assert.deepEqual([automatic, invoked], [30_000, 30_000]);
    const given = { 'completion.automaticBudgetMs': 300 };
    assert.deepEqual(folderSettings(given), { ...kOwn, ...given });
  });

  test('leave the time to the server where the list waits for it', () => {
    const withList = { 'completion.enabled': true };
    assert.deepEqual(folderSettings(withList), withList);
    const given = { ...withList, 'completion.invokedBudgetMs': 900 };
    assert.deepEqual(folderSettings(given), given);
    assert.deepEqual(folderSettings({ 'completion.enabled': false }), kOwn);
  });

  test('that a server needs at its start are flags', () => {
    const given = { 'server.arguments': ['--no-daemon'], log: 'debug', logFile: '/l', cacheMb: 7 };
    assert.deepEqual(programArguments(given), [
      ...['--no-daemon', '--log', 'debug', '--log-file', '/l', '--cache-mb', '7', '--stdio'],
    ]);
  });

  test("that are the user's go into initializationOptions", () => {
    const given = { model: 'small', adapter: '', threads: 2, grammars: ['/g'], log: 'debug' };
    assert.deepEqual(userSettings(given), { model: 'small', adapter: '', threads: 2, grammars: ['/g'] });
    assert.deepEqual(userSettings({ model: '', adapter: null }), {});
  });

  test('of a folder hold no program, model, grammar or file', () => {
    const given = { ...Object.fromEntries([...kOfUser, ...Object.keys(kOfProgram), ...kOfClient].map((n) => [n, 'x'])) };
    assert.deepEqual(folderSettings(given), kOwn);
  });
});

// The settings of docs/settings.md: name, default, who may give it. Those of a remote engine are the
// user's file's alone: no editor says where code is sent.
function documented(): Map<string, { value: string; isUsers: boolean }> {
  const rows = fs.readFileSync('docs/settings.md', 'utf8').matchAll(/^\| `(?!remote\.)([\w.]+)` \|.*$/gm);
  return new Map(
    [...rows].map(([row, name]) => {
      const cells = row.split('|').map((cell) => cell.trim());
      return [name!, { value: cells[3]!.replaceAll('`', ''), isUsers: /\*(user|program)\*/.test(cells[4]!) }];
    }),
  );
}

interface Property {
  readonly scope: string;
  readonly default: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
}

function declared(): Map<string, Property> {
  const manifest = JSON.parse(fs.readFileSync('editors/vscode/package.json', 'utf8'));
  const sections: { properties: Record<string, Property> }[] = manifest.contributes.configuration;
  return new Map(sections.flatMap((section) => Object.entries(section.properties)));
}

suite('Manifest', () => {
  test('declares the settings of docs/settings.md, and the extension its own', () => {
    const names = [...documented().keys(), ...kOfClient].map((name) => `tenon.${name}`);
    assert.deepEqual([...declared().keys()].sort(), names.sort());
    assert.deepEqual([...documented().keys()].sort(), [...kOfFolder, ...kOfUser, ...Object.keys(kOfProgram)].sort());
  });

  test('gives settings that name a program, a model or a file the scope machine', () => {
    for (const [name, { isUsers }] of documented())
      assert.equal(declared().get(`tenon.${name}`)?.scope, isUsers ? 'machine' : 'resource', name);
    assert.equal(declared().get('tenon.server.path')?.scope, 'machine');
    assert.equal(declared().get('tenon.server.arguments')?.scope, 'machine');
  });

  test('restricts in untrusted folders what has the scope machine', () => {
    const manifest = JSON.parse(fs.readFileSync('editors/vscode/package.json', 'utf8'));
    const machine = [...declared()].filter(([, property]) => property.scope === 'machine').map(([name]) => name);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort(), machine.sort());
  });

  test("has tenon's own defaults, but for items of the list and the time of an answer", () => {
    for (const [name, { value }] of documented()) {
      const own = declared().get(`tenon.${name}`)!.default;
      const ofVsCode: unknown = { ...kList, ...kBudgets }[name];
      if (ofVsCode !== undefined) assert.equal(own, ofVsCode, name);
      else if (/^(true|false|\d+)/.test(value)) assert.equal(String(own), /^[\w.]+/.exec(value)![0], name);
    }
  });

  test('describes every setting', () => {
    for (const [name, property] of declared()) assert.ok(property.description ?? property.markdownDescription, name);
  });

  test('has a handler for every command', () => {
    const manifest = JSON.parse(fs.readFileSync('editors/vscode/package.json', 'utf8'));
    const source = fs.readFileSync('editors/vscode/src/extension.ts', 'utf8');
    for (const { command } of manifest.contributes.commands)
      assert.match(source, new RegExp(`^    ${command.replace('tenon.', '')}: `, 'm'), command);
  });
});
