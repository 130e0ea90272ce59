import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { FileToggles, isLanguageOn, kMaxFiles } from '../../../editors/vscode/src/toggles';

function memory(kept: string[] = []) {
  return {
    kept,
    read: () => kept,
    write(files: readonly string[]) {
      this.kept = [...files];
    },
  };
}

suite('FileToggles', () => {
  test('switch a file off and on again', () => {
    const toggles = new FileToggles(memory());
    assert.equal(toggles.flip('file:///a'), false);
    assert.ok(toggles.isOff('file:///a'));
    assert.ok(!toggles.isOff('file:///b'));
    assert.equal(toggles.flip('file:///a'), true);
    assert.ok(!toggles.isOff('file:///a'));
  });

  test('remember files between sessions', () => {
    const kept = memory();
    new FileToggles(kept).flip('file:///a');
    assert.ok(new FileToggles(memory(kept.kept)).isOff('file:///a'));
  });

  test('forget the oldest file where there are too many', () => {
    const kept = memory(Array.from({ length: kMaxFiles }, (_, i) => `file:///${i}`));
    new FileToggles(kept).flip('file:///new');
    assert.equal(kept.kept.length, kMaxFiles);
    assert.deepEqual([kept.kept[0], kept.kept.at(-1)], ['file:///1', 'file:///new']);
  });
});

suite('LanguageToggle', () => {
  test('takes the star for languages that are not named', () => {
    assert.ok(isLanguageOn({}, 'go'));
    assert.ok(!isLanguageOn({ '*': false, python: true }, 'go'));
    assert.ok(isLanguageOn({ '*': false, python: true }, 'python'));
    assert.ok(!isLanguageOn({ go: false }, 'go'));
  });
});
