// Sessions over vscode-jsonrpc, the transport of VS Code's own clients: its framing, its ids, its cancelling.
//
// usage: node --test session_test.mjs, with the program in the environment as TENON. The server has the small model.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';

import rpc from 'vscode-jsonrpc/node.js';

const kUri = 'file:///project/area.py';
const kText = 'def area(width, height):\n    return width * height\n\n\nprint(area(2, ))\n';
const kCursor = { line: 4, character: 14 };
const kRequestCancelled = -32800;
const kMethodNotFound = -32601;

class Session {
  constructor() {
    const command = ['--stdio', '--no-daemon', '--model', 'smollm2-135m-fim'];
    this.server = spawn(process.env.TENON, command, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = once(this.server, 'exit');
    this.connection = rpc.createMessageConnection(
      new rpc.StreamMessageReader(this.server.stdout),
      new rpc.StreamMessageWriter(this.server.stdin),
    );
    this.faults = [];
    this.progress = [];
    this.connection.onError(([error]) => this.faults.push(error));
    this.connection.onUnhandledNotification((message) => this.faults.push(message.method));
    this.connection.onRequest('window/workDoneProgress/create', () => null);
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
    this.connection.onNotification('$/progress', ({ value }) => this.progress.push(value));
    this.ready = new Promise((resolve) => {
      this.connection.onNotification('tenon/didChangeStatus', ({ state }) => {
        if (state === 'ready') resolve();
      });
    });
    this.connection.listen();
  }

  async start() {
    const result = await this.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        window: { workDoneProgress: true },
        workspace: { configuration: true },
        textDocument: { completion: { dynamicRegistration: true }, inlineCompletion: {} },
        experimental: { tenon: { status: true, text: true } },
      },
      initializationOptions: { 'completion.invokedBudgetMs': 600000, maxTokens: 8 },
    });
    assert.equal(result.serverInfo.name, 'tenon');
    await this.connection.sendNotification('initialized', {});
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: kUri, languageId: 'python', version: 1, text: kText },
    });
    await this.ready;
  }

  ask(position, token) {
    const params = { textDocument: { uri: kUri }, position, context: { triggerKind: 1 } };
    // An argument that is undefined would be one of the message.
    return this.connection.sendRequest('textDocument/inlineCompletion', params, ...(token ? [token] : []));
  }

  async change(version, contentChanges) {
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: kUri, version },
      contentChanges,
    });
  }

  async text() {
    return (await this.connection.sendRequest('tenon/text', { textDocument: { uri: kUri } })).text;
  }

  async end() {
    assert.equal(await this.connection.sendRequest('shutdown'), null);
    await this.connection.sendNotification('exit');
    const [status] = await this.ended;
    this.connection.dispose();
    return status;
  }
}

suite('A client on vscode-jsonrpc', () => {
  const session = new Session();
  before(() => session.start());
  after(() => session.server.kill());

  test('sees the model load up to 100 percent', (context) => {
    if (session.progress.length === 0) return context.skip('the model was loaded before the client could show it');
    const percents = session.progress.map((value) => value.percentage).filter((percent) => percent !== undefined);
    assert.equal(session.progress.at(0)?.kind, 'begin');
    assert.equal(session.progress.at(-1)?.kind, 'end');
    assert.equal(percents.at(-1), 100);
    assert.deepEqual(percents, [...new Set(percents)].sort((a, b) => a - b));
  });

  test('gets suggestions for the cursor', async () => {
    const { items } = await session.ask(kCursor);
    assert.ok(items.length >= 1);
    for (const item of items) assert.equal(item.range.start.line, kCursor.line);
  });

  test('cancels a request and gets one answer to it', async () => {
    const cancelling = new rpc.CancellationTokenSource();
    const asked = session.ask({ line: 1, character: 11 }, cancelling.token);
    cancelling.cancel();
    const outcome = await asked.then(() => 'answered', (error) => error.code);
    assert.ok(outcome === 'answered' || outcome === kRequestCancelled, String(outcome));
    assert.ok(await session.ask(kCursor), 'the next request is answered');
  });

  test('edits in UTF-16 units, and the server has its text', async () => {
    const at = (line, character) => ({ line, character });
    await session.change(2, [
      { range: { start: at(2, 0), end: at(2, 0) }, text: "s = '😀é'" },
      { range: { start: at(2, 7), end: at(2, 8) }, text: '' },
    ]);
    assert.equal(await session.text(), kText.replace('\n\n\n', "\ns = '😀'\n\n"));
    await session.change(3, [{ text: kText }]);
    assert.equal(await session.text(), kText);
  });

  test('asks for what nobody knows and gets an error', async () => {
    await assert.rejects(session.connection.sendRequest('tenon/none'), { code: kMethodNotFound });
  });

  test('ends the server, which has said nothing that it cannot read', async () => {
    assert.equal(await session.end(), 0);
    assert.deepEqual(session.faults, []);
  });
});
