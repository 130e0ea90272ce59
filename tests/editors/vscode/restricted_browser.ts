// A folder that somebody else wrote: its settings name a program, a model and a log file, and nobody
// has said that it is trusted. Nothing of that is taken, and completion works.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before, suite, test } from 'node:test';

import { kRestMs } from '../../../editors/vscode/src/cursor_rest';
import { Editor, waitFor } from './editor';
import { environment, item, ScriptedServer } from './servers';

for (const trusted of [false, true]) {
  suite(trusted ? 'A trusted folder' : 'A folder that is not trusted', () => {
    const at = environment();
    const server = new ScriptedServer(at.tests, [{ before: 'words', items: [item(' one')] }]);
    let editor: Editor;
    let trap: string;

    before(async () => {
      trap = path.join(fs.mkdtempSync(path.join(path.dirname(server.program), 'trap-')), 'ran');
      const evil = path.join(path.dirname(trap), 'tenon');
      fs.writeFileSync(evil, `#!/bin/sh\ntouch '${trap}'\n`, { mode: 0o755 });
      editor = await Editor.start(at, {
        trusted,
        files: {
          'a.py': '',
          '.vscode/settings.json': JSON.stringify({
            'tenon.server.path': evil,
            'tenon.server.arguments': ['--evil'],
            'tenon.model': '/evil.gguf',
            'tenon.logFile': '/evil.log',
            'tenon.maxTokens': 7,
          }),
        },
        settings: { 'tenon.server.path': server.program },
      });
    });

    after(async () => {
      await editor?.close();
      server.close();
    });

    test('is completed', async () => {
      assert.equal(await editor.ask('isTrusted'), trusted);
      await editor.waitForServer();
      await editor.openFile('a.py');
      await editor.type('words');
      assert.equal(await editor.askForGhost(), ' one');
    });

    test('tells no cursor to a server that does not announce that it reads ahead', async () => {
      await editor.press('Escape', 'Home');
      await new Promise((resolve) => setTimeout(resolve, 3 * kRestMs));
      assert.deepEqual(server.received('tenon/didMoveCursor'), []);
    });

    test('names no program, no arguments, no model and no log file', async () => {
      await waitFor(() => server.received('initialize').length > 0, 'the server');
      const options = server.received('initialize')[0]!.params.initializationOptions;
      assert.deepEqual(options, { 'completion.enabled': false, experimental: { status: true } });
      assert.ok(!fs.existsSync(trap));
      assert.ok(!editor.log().some((line) => line.includes('evil')), editor.log().join('\n'));
    });
  });
}

suite('A machine without the program', () => {
  let editor: Editor;

  before(async () => {
    const settings = { 'tenon.server.path': '/nowhere/tenon' };
    editor = await Editor.start(environment(), { files: { 'a.py': '' }, settings });
  });

  after(() => editor?.close());

  test('says so, and offers to find or install one', async () => {
    await waitFor(async () => (await editor.ask<{ text: string }>('status')).text === '$(warning) tenon', 'the status');
    const view = await editor.ask<{ reason: string }>('status');
    assert.equal(view.reason, '/nowhere/tenon is no program');
    await editor.page.click('.notification-toast .monaco-button:has-text("Find or install")');
    await editor.page.waitForSelector('.quick-input-list .monaco-list-row:has-text("Choose the program")');
    await editor.page.waitForSelector('.quick-input-list .monaco-list-row:has-text("Build it from")');
    await editor.press('Escape');
  });

  test('completes as soon as the setting names one', async () => {
    const server = new ScriptedServer(environment().tests, [{ before: 'words', items: [item(' one')] }]);
    await editor.ask('setting', 'tenon.server.path', server.program);
    await editor.waitForServer();
    await editor.openFile('a.py');
    await editor.type('words');
    assert.equal(await editor.askForGhost(), ' one');
    server.close();
  });
});
