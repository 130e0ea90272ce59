import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { readModels } from '../../../editors/vscode/src/models';

suite('Models', () => {
  test('are read from lines, and other lines are left out', () => {
    const lines = [
      '{"available_bytes":1,"folder":"/m","runs":"big"}',
      '{"file_bytes":1117320768,"installed":true,"memory_bytes":1450000000,"name":"big","runs":true}',
      '{"file_bytes":491400064,"installed":false,"memory_bytes":720000000,"name":"small","runs":false}',
      'no JSON',
      '[1]',
    ];
    assert.deepEqual(readModels(lines.join('\n')), [
      { name: 'big', isInstalled: true, runs: true, description: '1,117 MB, needs 1,450 MB of memory, runs now' },
      { name: 'small', isInstalled: false, runs: false, description: '491 MB, needs 720 MB of memory, not installed' },
    ]);
  });
});
