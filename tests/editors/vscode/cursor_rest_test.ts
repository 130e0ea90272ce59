import assert from 'node:assert/strict';
import { beforeEach, mock, suite, test } from 'node:test';

import { CursorRest, touchesEdit, kRestMs, type Place } from '../../../editors/vscode/src/cursor_rest';

const written = (rangeOffset: number, text: string, rangeLength = 0) => ({ rangeOffset, rangeLength, text });

suite('CursorRest', () => {
  let place: Place | undefined;
  let told: Place[] = [];
  let rest: CursorRest;

  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
    place = { uri: 'file:///a.py', version: 1, line: 3, character: 4 };
    told = [];
    rest = new CursorRest(
      () => place,
      (each) => told.push(each),
    );
  });

  const at = (line: number, version = 1): Place => ({ uri: 'file:///a.py', version, line, character: 4 });

  test('tells a place after the time, and not before', () => {
    rest.moved(40);
    mock.timers.tick(kRestMs - 1);
    assert.deepEqual(told, []);
    mock.timers.tick(1);
    assert.deepEqual(told, [at(3)]);
    mock.timers.tick(10 * kRestMs);
    assert.equal(told.length, 1);
  });

  test('tells of several moves the last place alone', () => {
    for (const line of [5, 6, 7]) {
      place = at(line);
      rest.moved(line);
      mock.timers.tick(kRestMs - 1);
    }
    mock.timers.tick(1);
    assert.deepEqual(told, [at(7)]);
  });

  test('tells nothing of a place that is none of the server', () => {
    place = undefined;
    rest.moved(40);
    mock.timers.tick(kRestMs);
    assert.deepEqual(told, []);
  });

  test('tells a place once, and again in another version, at another place and after another one', () => {
    for (const each of [at(3), at(3), at(3, 2), at(4, 2), at(4, 2), at(3, 2)]) {
      place = each;
      rest.entered();
      mock.timers.tick(kRestMs);
    }
    assert.deepEqual(told, [at(3), at(3, 2), at(4, 2), at(3, 2)]);
  });

  test('tells another server the same place', () => {
    rest.entered();
    mock.timers.tick(kRestMs);
    rest.serverStarted();
    mock.timers.tick(kRestMs);
    assert.deepEqual(told, [at(3), at(3)]);
  });

  test('is over when the text changes or the window is left', () => {
    rest.moved(40);
    rest.edited([written(90, 'x')]);
    mock.timers.tick(kRestMs);
    rest.moved(40);
    rest.stop();
    mock.timers.tick(kRestMs);
    assert.deepEqual(told, []);
  });

  test('takes the move of typing for none, and the next one for one', () => {
    rest.edited([written(40, 'x')]);
    rest.moved(41);
    mock.timers.tick(kRestMs);
    assert.deepEqual(told, []);
    rest.moved(40);
    mock.timers.tick(kRestMs);
    assert.equal(told.length, 1);
  });

  test('tells where the cursor goes after an edit elsewhere, and which text is turned to', () => {
    rest.edited([written(40, 'x')]);
    rest.moved(80);
    mock.timers.tick(kRestMs);
    assert.equal(told.length, 1);
    place = at(0);
    rest.edited([written(40, 'x')]);
    rest.entered();
    mock.timers.tick(kRestMs);
    assert.equal(told.length, 2);
  });
});

suite('AnEdit', () => {
  test('writes where its text goes, its ends among it', () => {
    const inside = (edit: Parameters<typeof touchesEdit>[0]) => [9, 10, 11, 12, 13].filter((at) => touchesEdit(edit, at));
    assert.deepEqual(inside([]), []);
    assert.deepEqual(inside([written(10, 'x')]), [10, 11]);
    // An opening bracket brings its closing one; backspace writes nothing.
    assert.deepEqual(inside([written(10, '()')]), [10, 11, 12]);
    assert.deepEqual(inside([written(10, '', 3)]), [10]);
  });

  test('of several changes writes behind what those above have added', () => {
    // An import above, in the order of VS Code: the last one first.
    const edit = [written(10, 'x'), written(0, 'import a\n', 2)];
    assert.deepEqual([16, 17, 18, 19].filter((at) => touchesEdit(edit, at)), [17, 18]);
  });
});
