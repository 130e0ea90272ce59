import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { statusView, type ServerStatus, type Situation } from '../../../editors/vscode/src/status_view';

function running(server: ServerStatus, fileIsOff = false): Situation {
  return { process: { is: 'running' }, server, document: { languageId: 'python', fileIsOff } };
}

const kReady: ServerStatus = { state: 'ready', reason: '/m.gguf' };

suite('StatusView', () => {
  test('says that there is no program, and what to do', () => {
    const view = statusView({ process: { is: 'missing', fault: 'not found' } });
    assert.deepEqual(view, {
      text: '$(warning) tenon',
      reason: 'not found',
      action: 'Find or install the program.',
      severity: 'warning',
    });
  });

  test('says that the server has failed before all that the server said', () => {
    const view = statusView({ ...running(kReady), process: { is: 'failed', fault: 'it ended' } });
    assert.deepEqual([view.text, view.reason, view.severity], ['$(error) tenon', 'it ended', 'error']);
  });

  test('shows the percent of loading where the server tells them', () => {
    const loading: ServerStatus = { state: 'loading', reason: 'loading /m.gguf' };
    assert.equal(statusView(running(loading)).text, '$(loading~spin) tenon: loading');
    assert.equal(statusView(running({ ...loading, percent: 41 })).text, '$(loading~spin) tenon: loading 41 %');
    assert.equal(statusView(running({ ...loading, percent: 0 })).text, '$(loading~spin) tenon: loading 0 %');
  });

  test("hands on the server's reason and action where there is no model", () => {
    const view = statusView(running({ state: 'failed', reason: 'no model', action: 'fetch one' }));
    assert.deepEqual([view.reason, view.action, view.severity], ['no model', 'fetch one', 'error']);
  });

  test('says off, and how to switch it on', () => {
    const view = statusView(running({ state: 'off', reason: "by 'enabled'", action: "set 'enabled'" }));
    assert.deepEqual([view.text, view.reason, view.action], ['$(circle-slash) tenon', "by 'enabled'", "set 'enabled'"]);
  });

  test('says off here for a file and for a language', () => {
    assert.match(statusView(running(kReady, true)).reason, /this file/);
    const unknown = statusView(running({ ...kReady, document: { state: 'off', reason: 'no grammar', action: 'set it' } }));
    assert.deepEqual([unknown.text, unknown.reason, unknown.action], ['$(circle-slash) tenon: off here', 'no grammar', 'set it']);
  });

  const guarantees = { file: 'tenon', region: 'tenon: region', syntax: 'tenon: syntax only', none: 'tenon: unchecked' };
  for (const [guarantee, text] of Object.entries(guarantees)) {
    test(`says how much is promised: ${guarantee}`, () => {
      const document = { state: 'ready', guarantee } as ServerStatus['document'] & {};
      assert.equal(statusView(running({ ...kReady, document })).text, `$(check) ${text}`);
      assert.equal(statusView(running({ ...kReady, state: 'busy', document })).text, `$(loading~spin) ${text}`);
    });
  }

  test('names the model before the first suggestion', () => {
    assert.deepEqual(statusView(running(kReady)).reason, 'The model is ready: /m.gguf.');
  });

  test('says why the last request had no answer', () => {
    const document = { state: 'ready', guarantee: 'file', reason: 'no time was left' } as const;
    assert.match(statusView(running({ ...kReady, document })).reason, /no time was left/);
  });
});
