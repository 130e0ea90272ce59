// tenon itself in a real VS Code: files in Python, Go and a language without a grammar of tenon's are
// written with it, and parse. The pictures of the documents are made here.
import assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before, suite, test } from 'node:test';

import { waitFor } from './editor';
import { TenonEditor } from './tenon_editor';

const kPython = `import json
import sys


def read_settings(path):
    """The settings of a file, a dictionary."""
    with open(path, encoding="utf-8") as file:
        return |


def main():
    settings = read_settings(sys.argv[1])
    for name in settings:
        print(name, settings[name])


main()
`;

const kGo = `package main

import "fmt"

// area is that of a rectangle.
func area(width int, height int) int {
	return |
}

func main() {
	fmt.Println(area(3, 4))
}
`;

const kRust = `/// The area of a rectangle.
fn area(width: u32, height: u32) -> u32 {
    return |;
}

fn main() {
    println!("{}", area(3, 4));
}
`;

suite('tenon in VS Code', () => {
  let all: TenonEditor;
  const pictures = process.env['TENON_PICTURES'];

  before(async () => {
    all = await TenonEditor.start({ 'settings.py': '', 'area.go': '', 'area.rs': '', 'notes.txt': '' });
  });

  after(() => all?.close());

  async function picture(name: string): Promise<void> {
    if (!pictures) return;
    await all.editor.page.screenshot({ path: path.join(pictures, `vscode_${name}.png`) });
  }

  // Puts a text, types what is given behind its cursor, and waits for grey text.
  async function write(file: string, text: string, typed: string): Promise<string> {
    await all.editor.openFile(file);
    await all.editor.put(text);
    await all.editor.type(typed);
    return all.editor.askForGhost();
  }

  const status = async (): Promise<string> => (await all.editor.ask<{ text: string }>('status')).text;

  test('a typed line of Python is completed, taken whole, and the buffer parses', async () => {
    const ghost = await write('settings.py', kPython, 'json.lo');
    await picture('ghost_text');
    await all.editor.press('Tab');
    await waitFor(async () => (await all.editor.text('settings.py')).includes(`return json.lo${ghost}`), 'the suggestion');
    await all.assertParses('settings.py');
    await all.assertInStep('settings.py');
    await waitFor(async () => (await status()) === '$(check) tenon', 'the status of a whole file');
  });

  test('the comma that the line above lacks is written with what comes below it', async () => {
    await write('settings.py', 'PORTS = {\n    "http": 80,\n    "https": 443\n    |\n}\n', '');
    await all.editor.press('Tab');
    await waitFor(async () => (await all.editor.text('settings.py')).includes('"https": 443,\n    "'), 'the comma');
    await all.assertParses('settings.py');
    await all.assertInStep('settings.py');
  });

  test('what was taken is taken back by one undo', async () => {
    await write('settings.py', kPython, 'json.lo');
    const typed = await all.editor.text('settings.py');
    await all.editor.press('Tab');
    await waitFor(async () => (await all.editor.text('settings.py')) !== typed, 'the suggestion');
    await all.editor.press('Control+z');
    await all.editor.waitForText('settings.py', typed);
    await all.assertInStep('settings.py');
  });

  test('a word is taken, and the rest stays', async () => {
    const ghost = await write('settings.py', kPython, 'json.lo');
    await all.editor.press('Control+ArrowRight');
    await waitFor(async () => (await all.editor.ghost()) !== ghost, 'the rest');
    const rest = await all.editor.ghost();
    assert.ok(rest === '' || ghost.endsWith(rest), JSON.stringify([ghost, rest]));
    await all.editor.press('Tab');
    await all.assertInStep('settings.py');
  });

  test('lines are taken one by one until the buffer parses', async () => {
    await write('settings.py', kPython, 'json.lo');
    for (let line = 0; line < 20 && (await all.editor.ghost()) !== ''; ++line) {
      const before = await all.editor.text('settings.py');
      await all.editor.press('Alt+End');
      await waitFor(async () => (await all.editor.text('settings.py')) !== before, 'a line');
      if (all.isValid('python', await all.editor.text('settings.py'))) break;
    }
    await all.assertParses('settings.py');
    await all.assertInStep('settings.py');
  });

  test('a typed line of Go is completed, and the buffer parses', async () => {
    await write('area.go', kGo, 'wi');
    await picture('go');
    await all.editor.press('Tab');
    await waitFor(async () => (await all.editor.ghost()) === '', 'the suggestion to be taken');
    await all.assertParses('area.go');
    await all.assertInStep('area.go');
  });

  test('a language without a grammar is completed, and the status says what is promised', async () => {
    await write('area.rs', kRust, 'wi');
    await waitFor(async () => (await status()).endsWith('tenon: syntax only'), 'the status');
    await picture('syntax_only');
    await all.editor.press('Tab');
    await all.assertInStep('area.rs');
  });

  test('a file that is broken elsewhere is completed, and the status says region', async () => {
    await write('settings.py', `def broken(:\n    pass\n\n\n${kPython}`, 'json.lo');
    await waitFor(async () => (await status()).endsWith('tenon: region'), 'the status');
  });

  test('a language that nobody knows is off here, with the reason', async () => {
    await all.editor.openFile('notes.txt');
    await waitFor(async () => (await status()) === '$(circle-slash) tenon: off here', 'the status');
    const view = await all.editor.ask<{ reason: string; action: string }>('status');
    assert.equal(view.reason, "no grammar for language 'plaintext'");
    assert.match(view.action, /anyLanguage/);
  });

  test('a language is switched off and on, and the server hears of it', async () => {
    await all.editor.openFile('area.go');
    await all.editor.ask('command', 'tenon.toggleLanguage');
    await waitFor(async () => (await status()) === '$(circle-slash) tenon: off here', 'the status');
    await all.editor.ask('command', 'tenon.toggleLanguage');
    await waitFor(async () => (await status()).startsWith('$(check)'), 'the status');
  });

  test('everything is switched off and on', async () => {
    await all.editor.ask('command', 'tenon.toggleEverywhere');
    await waitFor(async () => (await status()) === '$(circle-slash) tenon', 'the status');
    const asked = () => all.server.messages('client').filter((each) => each.method === 'textDocument/inlineCompletion').length;
    const before = asked();
    await all.editor.put('package main\n|');
    await all.editor.type('func');
    await all.assertInStep('area.go');
    assert.equal(asked(), before);
    await all.editor.ask('command', 'tenon.toggleEverywhere');
    await waitFor(async () => (await status()).startsWith('$(check)'), 'the status');
  });

  test('items stand in the list where they are wanted', async () => {
    await all.editor.ask('setting', 'tenon.completion.enabled', true);
    const registered = () =>
      all.server.messages('server').some((each) => JSON.stringify(each).includes('"textDocument/completion"'));
    await waitFor(registered, 'the registration');
    await all.editor.openFile('settings.py');
    await all.editor.put(kPython);
    await all.editor.type('json.lo', 0);
    await all.editor.press('Escape', 'Control+Space');
    const row = '.suggest-widget.visible .monaco-list-row:has-text("tenon")';
    await all.editor.page.waitForSelector(row);
    await all.editor.page.click(row);
    await all.assertInStep('settings.py');
    await all.assertParses('settings.py');
    await all.editor.ask('setting', 'tenon.completion.enabled', undefined);
  });

  test('the menu says what is going on', async () => {
    await all.editor.openFile('settings.py');
    await all.editor.page.click('[id="tenon.tenon.tenon.status"]');
    await all.editor.page.waitForSelector('.quick-input-list .monaco-list-row:has-text("Choose a model")');
    await picture('menu');
    await all.editor.page.focus('.quick-input-widget input');
    await all.editor.press('Escape');
    await all.editor.page.waitForSelector('.quick-input-widget', { state: 'hidden' });
  });

  test('the doctor says what is there', async () => {
    await all.editor.ask('command', 'tenon.doctor');
    const text = await waitFor(async () => {
      const active = await all.editor.ask<string | null>('activeText');
      return active?.includes('doctor\n') ? active : '';
    }, 'the document');
    await all.editor.ask('command', 'workbench.action.closeActiveEditor');
    assert.match(text, /^languages +guarantee file: .*python/m);
  });

  test('models are listed with what they need', async () => {
    const done = all.editor.ask('command', 'tenon.chooseModel');
    const rows = () => all.editor.page.$$eval('.quick-input-list .monaco-list-row', (all) => all.map((row) => row.textContent));
    await waitFor(async () => (await rows()).some((row) => row?.includes('smollm2-135m-fim')), 'the small model');
    await all.editor.press('Escape');
    await done;
  });

  test('a server that is restarted has the texts again', async () => {
    await all.editor.openFile('settings.py');
    await all.editor.ask('command', 'tenon.restart');
    all.server.reconnect();
    await all.waitForModel();
    await all.assertInStep('settings.py');
    await write('settings.py', kPython, 'json.lo');
  });

  test('the settings that the server was told are those that were given, and no model came from the folder', () => {
    const initialize = all.server.messages('client').find((each) => each.method === 'initialize');
    assert.deepEqual(initialize?.params.initializationOptions, {
      'completion.enabled': false,
      model: 'smollm2-135m-fim',
      experimental: { status: true },
    });
    const told = all.server.messages('server').filter((each) => each.method === 'window/showMessage');
    assert.deepEqual(told, []);
  });

  test('no log holds an error; the client adds little to a keystroke', async (context) => {
    all.assertNoErrors();
    const cost = await all.editor.ask<Record<string, { count: number; p50Ms: number; p99Ms: number }>>('cost');
    for (const [kind, { count, p50Ms, p99Ms }] of Object.entries(cost)) {
      context.diagnostic(`${kind}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms of ${count}`);
      assert.ok(count > 0, kind);
    }
  });
});
