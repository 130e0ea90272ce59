import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { findProgram, type Machine } from '../../../editors/vscode/src/program';

function machine(path: string, ...programs: string[]): Machine {
  return { path, home: '/home/u', isProgram: (file) => programs.includes(file) };
}

suite('Program', () => {
  test('is found in PATH before the folders of installations', () => {
    const search = findProgram('', machine('/a:/b', '/b/tenon', '/home/u/.local/bin/tenon'));
    assert.deepEqual(search, { program: '/b/tenon' });
  });

  test('is found where pip puts it', () => {
    assert.deepEqual(findProgram('', machine('/a', '/home/u/.local/bin/tenon')), { program: '/home/u/.local/bin/tenon' });
  });

  test('is the configured path alone, with ~ for the home', () => {
    assert.deepEqual(findProgram('~/t', machine('/a', '/home/u/t', '/a/tenon')), { program: '/home/u/t' });
    assert.deepEqual(findProgram('/x/t', machine('/a', '/a/tenon')), { fault: '/x/t is no program', searched: ['/x/t'] });
  });

  test('is a configured name in PATH', () => {
    assert.deepEqual(findProgram('tenon-dev', machine('/a', '/a/tenon-dev')), { program: '/a/tenon-dev' });
  });

  test('is never taken from the folder that is open', () => {
    const all: Machine = { path: ':.:bin', home: '/home/u', isProgram: (file) => !file.startsWith('/') };
    assert.ok('fault' in findProgram('', all));
    assert.ok('fault' in findProgram('./tenon', all));
    assert.ok('fault' in findProgram('bin/tenon', all));
  });

  test('is said where it was looked for', () => {
    const search = findProgram('', machine('/a', '/other'));
    assert.ok('searched' in search);
    assert.deepEqual(search.searched.slice(0, 2), ['/a/tenon', '/home/u/.local/bin/tenon']);
  });
});
