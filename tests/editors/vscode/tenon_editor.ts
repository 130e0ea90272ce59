// A VS Code with tenon itself and the small model, behind a tap that writes all messages down.
import { execFileSync, spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { pathToFileURL } from 'node:url';

import { Editor, waitFor } from './editor';
import { environment, TappedServer } from './servers';

export class TenonEditor {
  private constructor(
    readonly editor: Editor,
    readonly server: TappedServer,
    private readonly program: string,
  ) {}

  static async start(files: Readonly<Record<string, string>>, settings: object = {}): Promise<TenonEditor> {
    const at = environment();
    const server = new TappedServer(at.tests, at.program);
    const own = {
      'tenon.server.path': server.program,
      'tenon.server.arguments': ['--no-daemon'],
      'tenon.model': 'smollm2-135m-fim',
      // A slow machine decides no test.
      'tenon.completion.automaticBudgetMs': 60_000,
      'tenon.completion.invokedBudgetMs': 60_000,
    };
    const editor = await Editor.start(at, { files, settings: { ...own, ...settings } });
    const all = new TenonEditor(editor, server, at.program);
    await all.waitForModel();
    return all;
  }

  async waitForModel(): Promise<void> {
    const state = async () => (await this.server.ask<{ state: string }>('tenon/status', {})).state;
    await waitFor(async () => ['ready', 'busy'].includes(await state().catch(() => '')), 'the model', 120_000);
  }

  /** The texts of the editor and of the server are the same, at last. */
  async assertInStep(name: string): Promise<void> {
    const uri = pathToFileURL(this.editor.file(name)).href;
    let texts: [string, string] = ['', ''];
    const same = async () => {
      const own = await this.editor.text(name);
      const { text } = await this.server.ask<{ text: string }>('tenon/text', { textDocument: { uri } });
      texts = [own.replaceAll('\r\n', '\n'), text.replaceAll('\r\n', '\n')];
      return texts[0] === texts[1];
    };
    await waitFor(same, 'the same text').catch(() => assert.equal(texts[1], texts[0]));
  }

  /** The file as it is on disk afterwards is whole and valid. */
  async assertParses(name: string): Promise<void> {
    await this.editor.ask('save');
    const file = this.editor.file(name);
    const done = spawnSync(this.program, ['check', file], { encoding: 'utf8' });
    assert.equal(done.status, 0, `${done.stdout}${done.stderr}\n${fs.readFileSync(file, 'utf8')}`);
  }

  /** Is the text whole and valid? */
  isValid(language: string, text: string): boolean {
    const input = `${JSON.stringify({ text, language })}\n`;
    const out = execFileSync(this.program, ['--json', 'check', '--batch'], { input, encoding: 'utf8' });
    return (JSON.parse(out) as { valid: boolean }).valid;
  }

  /** No log holds an error, and no request of the client was refused. */
  assertNoErrors(): void {
    assert.deepEqual(this.editor.log().filter((line) => line.includes('[error]')), []);
    assert.deepEqual(this.editor.hostErrors(), []);
    const kCancelled = -32800;
    const refused = this.server.messages('server').filter((each) => each.error && each.error.code !== kCancelled);
    assert.deepEqual(refused, []);
    assert.deepEqual(this.editor.pageErrors, []);
  }

  async close(): Promise<void> {
    await this.editor.close();
    this.server.close();
  }
}
