// What users complain about in other plugins, tried in a real VS Code: Tab stolen, ghost text over
// text, doubled brackets, wrong indentation, silence without a reason. The server's answers are
// written down, so that each case is the same in every run.
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';

import { kRestMs } from '../../../editors/vscode/src/cursor_rest';
import { Editor, waitFor } from './editor';
import { environment, item, ScriptedServer, type Rule } from './servers';

const kRules: readonly Rule[] = [
  { before: 'three', items: [item(' first'), item(' second'), item(' third')] },
  { before: 'if x:', items: [item('\n    y(1)\n    z(2)')] },
  { before: 'words', items: [item(' one two(three)')] },
  { before: 'call(', items: [item('a, b)', 5, 6)] },
  { before: 'brackets = [', items: [item('1, 2]', 12, 13)] },
  { before: 'quiet' },
  { before: 'broken', error: 'no luck' },
  { before: 'slow', items: [item(' late')], delay_ms: 3000 },
];

suite('Suggestions', () => {
  const at = environment();
  const server = new ScriptedServer(at.tests, kRules, { tenon: { cursor: true } });
  let editor: Editor;

  before(async () => {
    editor = await Editor.start(at, {
      files: { 'a.py': '', 'b.py': '' },
      settings: { 'tenon.server.path': server.program, 'tenon.model': 'big' },
    });
    await editor.waitForServer();
  });

  after(async () => {
    await editor?.close();
    server.close();
  });

  beforeEach(async () => {
    await editor.press('Escape', 'Escape');
    await editor.openFile('a.py');
    await editor.put('|');
  });

  async function suggested(text: string): Promise<string> {
    await editor.put(text);
    await editor.press('Alt+Backslash');
    return editor.waitForGhost();
  }

  test('are drawn and taken whole with Tab, and one undo takes them back', async () => {
    await editor.type('words');
    assert.equal(await editor.waitForGhost(), ' one two(three)');
    await editor.press('Tab');
    await editor.waitForText('a.py', 'words one two(three)');
    await editor.press('Control+z');
    await editor.waitForText('a.py', 'words');
  });

  test('are taken by the word', async () => {
    await suggested('words|');
    // VS Code takes blanks for a word of their own.
    for (const text of ['words ', 'words one', 'words one ', 'words one two']) {
      await editor.press('Control+ArrowRight');
      await editor.waitForText('a.py', text);
    }
    assert.equal(await editor.waitForGhost(), '(three)');
  });

  test('are taken by the line with Alt+End, and keep their indentation', async () => {
    await suggested('if x:|');
    // What is left of the cursor's own line is its end.
    for (const text of ['if x:\n', 'if x:\n    y(1)\n', 'if x:\n    y(1)\n    z(2)']) {
      await editor.press('Alt+End');
      await editor.waitForText('a.py', text);
    }
  });

  test('of several lines go in whole, indented as they are', async () => {
    await suggested('def f():\n    if x:|\n    end()');
    await editor.press('Tab');
    await editor.waitForText('a.py', 'def f():\n    if x:\n    y(1)\n    z(2)\n    end()');
  });

  test('can be cycled through', async () => {
    assert.equal(await suggested('three|'), ' first');
    await editor.press('Alt+BracketRight');
    await waitFor(async () => (await editor.ghost()) === ' second', 'the second suggestion');
    await editor.press('Alt+BracketLeft', 'Alt+BracketLeft');
    await waitFor(async () => (await editor.ghost()) === ' third', 'the last suggestion');
    await editor.press('Tab');
    await editor.waitForText('a.py', 'three third');
  });

  test('leave Tab alone where there are none', async () => {
    await editor.put('ab|');
    await editor.press('Tab');
    await editor.waitForText('a.py', 'ab  ');
  });

  test('leave Tab to the indentation at the beginning of a line', async () => {
    await editor.put('if y:\n|');
    await editor.press('Tab');
    await editor.waitForText('a.py', 'if y:\n    ');
  });

  test('leave Enter alone, with ghost text and with an open list', async () => {
    await suggested('words|');
    await editor.press('Enter');
    await editor.waitForText('a.py', 'words\n');
  });

  test('go with Escape, and leave the text', async () => {
    await suggested('words|');
    await editor.press('Escape');
    await editor.waitForNoGhost();
    assert.equal(await editor.text('a.py'), 'words');
  });

  test('go when the cursor does', async () => {
    await suggested('above\nwords|');
    await editor.press('ArrowUp');
    await editor.waitForNoGhost();
  });

  test('stay while one types along them, and go when one does not', async () => {
    await suggested('words|');
    await editor.type(' on');
    await waitFor(async () => (await editor.ghost()) === 'e two(three)', 'the rest of the suggestion');
    await editor.type('x');
    await editor.waitForNoGhost();
  });

  test('double no bracket that the editor has closed', async () => {
    await editor.type('call(');
    await editor.waitForText('a.py', 'call()');
    await editor.waitForGhost();
    await editor.press('Tab');
    await editor.waitForText('a.py', 'call(a, b)');
    await editor.put('|');
    await editor.type('brackets = [');
    await editor.waitForGhost();
    await editor.press('Tab');
    await editor.waitForText('a.py', 'brackets = [1, 2]');
  });

  test('are never drawn over the text behind the cursor', async () => {
    await editor.type('call(');
    await editor.waitForGhost();
    const line = await editor.page.textContent('.monaco-editor .view-line');
    assert.equal(line?.replaceAll('\u00a0', ' '), 'call(a, b)');
  });

  test('of a person that find nothing say so, with the reason', async () => {
    await editor.put('quiet|');
    await editor.ask('command', 'tenon.trigger');
    await editor.page.waitForSelector('.statusbar-item:has-text("tenon has nothing to offer here.")');
  });

  test('that fail at the server raise no window at a keystroke', async () => {
    await editor.type('broken');
    await waitFor(() => editor.log().some((line) => line.includes('no luck')), 'the failure in the log');
    await editor.type(' words');
    await editor.waitForGhost();
    assert.equal(await editor.page.$$eval('.notification-toast', (toasts) => toasts.length), 0);
  });

  test('are not asked for in a file that is switched off', async () => {
    await editor.ask('command', 'tenon.toggleFile');
    await editor.page.waitForSelector('.statusbar-item:has-text("tenon: off here")');
    const asked = server.received('textDocument/inlineCompletion').length;
    await editor.type('words');
    await editor.waitForText('a.py', 'words');
    await editor.openFile('b.py');
    await editor.put('|');
    await editor.type('words');
    await editor.waitForGhost();
    const uris = server.received('textDocument/inlineCompletion').slice(asked).map((each) => each.params.textDocument.uri);
    assert.deepEqual([...new Set(uris.map((uri: string) => uri.slice(-4)))], ['b.py']);
    await editor.openFile('a.py');
    await editor.ask('command', 'tenon.toggleFile');
  });

  test('that come too late are cancelled at the server', async () => {
    const before = server.received('textDocument/inlineCompletion').length;
    await editor.put('slow|');
    await editor.press('Alt+Backslash');
    const asked = () => server.received('textDocument/inlineCompletion').slice(before);
    await waitFor(() => asked().length > 0, 'the request');
    await editor.type(' x');
    const id = asked()[0]!.id;
    await waitFor(() => server.received('$/cancelRequest').some((each) => each.params.id === id), 'its cancelling');
  });

  // Where the server was told that the cursor rests, after the first `seen` times.
  const rests = (seen = 0) =>
    server.received('tenon/didMoveCursor').slice(seen).map(({ params }) => ({
      file: params.textDocument.uri.slice(-4),
      at: [params.position.line, params.position.character],
    }));
  const settled = () => new Promise((resolve) => setTimeout(resolve, 3 * kRestMs));

  test('have their place read ahead where the cursor rests, once', async () => {
    await editor.put('one\ntwo|\nthree');
    await waitFor(() => rests().at(-1)?.at[0] === 1, 'the place');
    const seen = rests().length;
    await editor.press('ArrowUp', 'ArrowDown', 'ArrowDown', 'Home');
    await waitFor(() => rests(seen).length > 0, 'the place');
    await editor.press('ArrowUp', 'ArrowDown');
    await settled();
    assert.deepEqual(rests(seen), [{ file: 'a.py', at: [2, 0] }]);
  });

  test('have no place read ahead that is typed at, selected or switched off', async () => {
    await editor.put('quiet|');
    await settled();
    const seen = rests().length;
    await editor.type(' and', 2 * kRestMs);
    await settled();
    assert.deepEqual(rests(seen), []);
    await editor.press('Shift+ArrowLeft');
    await settled();
    await editor.ask('command', 'tenon.toggleFile');
    await editor.press('Home');
    await settled();
    assert.deepEqual(rests(seen), []);
    await editor.ask('command', 'tenon.toggleFile');
    await editor.openFile('b.py');
    await waitFor(() => rests(seen).length > 0, 'the place in the other file');
    assert.deepEqual(rests(seen).map(({ file }) => file), ['b.py']);
    await editor.openFile('a.py');
  });

  async function chooseModel(name: string): Promise<void> {
    const done = editor.ask('command', 'tenon.chooseModel');
    await editor.page.click(`.quick-input-list .monaco-list-row:has-text("${name}")`);
    await done;
  }

  test('go on with the old model where the new one is refused', async () => {
    const starts = server.received('initialize').length;
    await chooseModel('refused');
    await editor.page.waitForSelector('.notification-toast:has-text("it is refused")');
    assert.equal(server.received('initialize').length, starts);
    await editor.ask('command', 'notifications.clearAll');
  });

  test('come from another model after one start of the server', async () => {
    const starts = server.received('initialize').length;
    await chooseModel('small');
    await waitFor(() => server.received('initialize').length > starts, 'another server');
    await editor.waitForServer();
    await editor.put('words|');
    await editor.askForGhost();
    // A second start would have come before.
    assert.equal(server.received('initialize').length, starts + 1);
  });

  test('leave no error in the log', () => {
    const lines = editor.log();
    assert.ok(lines.some((line) => line.includes('starts ')), lines.join('\n'));
    // The script's own failure is one of two lines: the request, then the server's words.
    const unexpected = lines.filter((line, at) => line.includes('[error]') && !lines[at + 1]?.includes('no luck'));
    assert.deepEqual(unexpected, []);
  });
});
