// Random typing, taking, undoing, cycling and switching of files: afterwards the server has the
// editor's texts, no log holds an error, and no suggestion that was taken has broken a valid file.
//
// TENON_MINUTES says how long; the seed is printed, and TENON_TEST_SEED takes another.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';

import { waitFor } from './editor';
import { TenonEditor } from './tenon_editor';

const kFiles: Readonly<Record<string, { language: string; text: string; pieces: readonly string[] }>> = {
  'a.py': {
    language: 'python',
    text: 'import os\n\n\ndef first(a, b):\n    total = a + b\n    return total\n\n\nprint(first(1, 2))\n',
    pieces: ['x = ', 'first(', 'return ', 'if a:', 'for i in ', '"', "'é😀", '# ', 'print(', '[', '{', 'self.', ' '],
  },
  'b.go': {
    language: 'go',
    text: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tx := 1\n\tfmt.Println(x)\n}\n',
    pieces: ['y := ', 'fmt.', 'if x > ', 'for ', '"', '// ü', '{', '(', 'return', 'func '],
  },
  'c.json': {
    language: 'json',
    text: '{\r\n  "name": "tenon",\r\n  "list": [1, 2]\r\n}\r\n',
    pieces: ['"', ', ', ': ', '[', '{', '1', 'true', '"\u{1F600}'],
  },
  'd.rs': { language: 'rust', text: 'fn main() {\n    let x = 1;\n}\n', pieces: ['let ', 'x', ' = ', '(', '{', '"', '// '] },
};

// xorshift32: the same keys for the same seed.
function random(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

suite('Random typing', () => {
  const names = Object.keys(kFiles);
  let all: TenonEditor;
  let name = names[0]!;
  const counts = { keys: 0, taken: 0, valid: 0, broken: 0, compared: 0 };

  before(async () => {
    const texts = Object.fromEntries(Object.entries(kFiles).map(([file, { text }]) => [file, text]));
    // With little time, requests overtake each other as they do in life.
    all = await TenonEditor.start(texts, { 'tenon.completion.automaticBudgetMs': 300 });
    for (const each of names) await all.editor.openFile(each);
  });

  after(() => all?.close());

  async function press(...keys: string[]): Promise<void> {
    counts.keys += keys.length;
    await all.editor.press(...keys);
  }

  // Takes what is drawn. Where the file was valid, it must be valid afterwards.
  async function take(key: string): Promise<void> {
    const { language } = kFiles[name]!;
    if ((await all.editor.ghost()) === '') await press('Alt+Backslash');
    const ghost = await waitFor(() => all.editor.ghost(), 'ghost text', 1500).catch(() => '');
    if (ghost === '') return press(key === 'Tab' ? 'Space' : key);
    const before = await all.editor.text(name);
    await press(key);
    if (key !== 'Tab' || language === 'rust') return;
    const changed = await waitFor(async () => (await all.editor.text(name)) !== before, 'the suggestion', 2000).catch(() => false);
    if (!changed) return;
    const taken = await all.editor.text(name);
    ++counts.taken;
    if (!all.isValid(language, before)) return;
    ++counts.valid;
    if (!all.isValid(language, taken)) {
      ++counts.broken;
      assert.fail(`valid before and broken after:\n${before}\n---\n${taken}`);
    }
  }

  async function step(below: (n: number) => number): Promise<void> {
    const file = kFiles[name]!;
    const kind = below(20);
    if (kind < 6) {
      const piece = file.pieces[below(file.pieces.length)]!;
      counts.keys += piece.length;
      return all.editor.type(piece, below(60));
    }
    if (kind < 8) return take('Tab');
    if (kind < 9) return take('Control+ArrowRight');
    if (kind < 10) return take('Alt+End');
    if (kind < 12) return press('Control+z');
    if (kind < 13) return press('Control+Shift+z');
    if (kind < 14) return press('Alt+BracketRight');
    if (kind < 15) return press(['Escape', 'Alt+Backslash', 'Enter'][below(3)]!);
    if (kind < 16) return press(['Backspace', 'Delete', 'Control+Backspace'][below(3)]!);
    if (kind < 17) return press(['ArrowUp', 'ArrowDown', 'End', 'Home', 'Control+Home', 'Control+End'][below(6)]!);
    if (kind < 18) return new Promise((resolve) => setTimeout(resolve, 400));
    name = names[below(names.length)]!;
    await all.editor.openFile(name);
    if (below(2) === 0) return;
    // Again the valid text that the file began with, with the cursor at the end of a line.
    const { text } = kFiles[name]!;
    const lines = text.replaceAll('\r\n', '\n').split('\n');
    const line = below(lines.length);
    lines[line] += '|';
    return all.editor.put(lines.join('\n'));
  }

  test('keeps the texts equal, and breaks no valid file', async (context) => {
    const seed = Number(process.env['TENON_TEST_SEED'] ?? 20261125);
    const minutes = Number(process.env['TENON_MINUTES'] ?? 0.5);
    context.diagnostic(`seed ${seed}, ${minutes} minutes`);
    const below = random(seed);
    const end = Date.now() + minutes * 60_000;
    for (let steps = 1; Date.now() < end; ++steps) {
      await step(below);
      if (steps % 40 !== 0) continue;
      for (const each of names) await all.assertInStep(each);
      ++counts.compared;
    }
    for (const each of names) await all.assertInStep(each);
    context.diagnostic(JSON.stringify({ ...counts, cost: await all.editor.ask('cost') }));
  });

  test('leaves no error in any log', () => all.assertNoErrors());
});
