import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';

import { eachLine, readLogLine } from '../../../editors/vscode/src/server_log';

suite('ServerLog', () => {
  test('keeps the level that the server gave a line', () => {
    assert.deepEqual(readLogLine('12:00:01.250 info ready: /m'), { level: 'info', text: 'ready: /m' });
    assert.deepEqual(readLogLine('12:00:01.250 warning no grammar'), { level: 'warn', text: 'no grammar' });
    assert.deepEqual(readLogLine('12:00:01.250 error bad'), { level: 'error', text: 'bad' });
  });

  test('takes what has another form for the words of a crash', () => {
    assert.deepEqual(readLogLine('terminate called'), { level: 'error', text: 'terminate called' });
  });

  test('reads lines from pieces that end in a character, and the last one without its end', async () => {
    const input = new PassThrough();
    const lines: string[] = [];
    eachLine(input, (line) => lines.push(line));
    for (const byte of Buffer.from('fünf\n\n  \r\nsechs € \r\nlast')) input.write(Buffer.from([byte]));
    input.end();
    await new Promise((resolve) => input.on('close', resolve));
    assert.deepEqual(lines, ['fünf', 'sechs €', 'last']);
  });
});
