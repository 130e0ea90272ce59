import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { KeystrokeCost, kKept } from '../../../editors/vscode/src/keystroke_cost';

suite('KeystrokeCost', () => {
  test('gives percentiles by nearest rank, of each kind alone', () => {
    const cost = new KeystrokeCost();
    for (let ms = 1; ms <= 100; ++ms) cost.add('edit', ms);
    assert.deepEqual(cost.summary('edit'), { count: 100, p50Ms: 50, p99Ms: 99, maxMs: 100 });
    assert.deepEqual(cost.summary('suggestion'), { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 });
  });

  test('keeps the last samples', () => {
    const cost = new KeystrokeCost();
    cost.add('edit', 1000);
    for (let i = 0; i < kKept; ++i) cost.add('edit', 1);
    assert.equal(cost.summary('edit').maxMs, 1);
  });
});
