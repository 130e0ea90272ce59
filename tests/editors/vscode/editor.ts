// A real VS Code in a real browser, driven as a user does: keys go in, what is drawn comes out.
//
// code-server runs in a folder of its own with the packed extension and a probe (probe/), which a
// test asks for what is not drawn: the text of a buffer, the settings.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

import manifest from '../../../editors/vscode/package.json';
import { LineSocket } from './line_socket';

export interface Start {
  /** The files of the folder that is opened, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Settings of the user and the machine. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Is the folder trusted without a question? */
  readonly trusted?: boolean;
}

/** Where the parts are, from the command line. */
export interface Environment {
  readonly codeServer: string;
  readonly node: string;
  readonly vsix: string;
  readonly probe: string;
}

const kPatienceMs = 120_000;

export class Editor {
  private probe: LineSocket | undefined;
  private browser: Browser | undefined;
  /** Exceptions in the window that nobody caught. */
  readonly pageErrors: string[] = [];
  page!: Page;

  private constructor(
    readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  /** The folder that is open. */
  get workspace(): string {
    return path.join(this.folder, 'project');
  }

  file(name: string): string {
    return path.join(this.workspace, name);
  }

  static async start(environment: Environment, start: Start): Promise<Editor> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tenon-vscode-'));
    for (const [name, text] of Object.entries(start.files)) write(path.join(folder, 'project', name), text);
    // A window takes the user's value of a setting with the scope `machine` until its first change of a setting, then no more.
    const [ofMachine, ofUser] = partition(Object.entries(start.settings), ([name]) => kOfMachine.has(name));
    write(path.join(folder, 'data', 'Machine', 'settings.json'), JSON.stringify(Object.fromEntries(ofMachine)));
    write(path.join(folder, 'data', 'User', 'settings.json'), JSON.stringify({ ...kCalm, ...Object.fromEntries(ofUser) }));
    const home = path.join(folder, 'home');
    fs.mkdirSync(home);

    const server = path.join(environment.codeServer, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
    const folders = ['--extensions-dir', path.join(folder, 'extensions'), '--user-data-dir', path.join(folder, 'data')];
    fs.cpSync(environment.probe, path.join(folder, 'extensions', 'tenon-tests.probe-1.0.0'), { recursive: true });
    const socket = path.join(folder, 'probe');
    const env = {
      ...process.env,
      TENON_PROBE_SOCKET: socket,
      XDG_CONFIG_HOME: path.join(home, 'config'),
      XDG_STATE_HOME: path.join(home, 'state'),
    };
    execFileSync(environment.node, [server, ...folders, '--install-extension', environment.vsix], { env, stdio: 'pipe' });

    const port = await freePort();
    const log = fs.openSync(path.join(folder, 'code-server.log'), 'w');
    const process_ = spawn(
      environment.node,
      [server, ...folders, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry']
        .concat('--disable-update-check', '--disable-getting-started-override')
        .concat(start.trusted === false ? [] : ['--disable-workspace-trust']),
      { env, stdio: ['ignore', log, log] },
    );
    const editor = new Editor(folder, process_);
    try {
      await editor.open(port, socket);
    } catch (error) {
      await editor.close();
      throw error;
    }
    return editor;
  }

  private async open(port: number, socket: string): Promise<void> {
    this.browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    this.page = await this.browser.newPage({ viewport: { width: 960, height: 540 }, colorScheme: 'dark' });
    this.page.setDefaultTimeout(kPatienceMs);
    this.page.on('pageerror', (error) => this.pageErrors.push(String(error)));
    await waitFor(() => reachable(port), 'code-server');
    await this.page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(this.workspace)}`);
    await this.page.waitForSelector('.monaco-workbench .statusbar', { timeout: kPatienceMs });
    this.probe = await LineSocket.connect(socket, kPatienceMs);
    await waitFor(() => this.ask('isActive'), 'the extension');
  }

  /** Asks the probe. */
  async ask<Result>(name: string, ...args: unknown[]): Promise<Result> {
    const answer = (await this.probe!.ask({ name, args })) as { result?: Result; error?: string };
    if (answer.error !== undefined) throw new Error(`${name}: ${answer.error}`);
    return answer.result as Result;
  }

  /** The server has started and can be asked. */
  async waitForServer(): Promise<void> {
    const text = async () => (await this.ask<{ text: string }>('status')).text;
    await waitFor(async () => (await text()).startsWith('$(check)'), 'the server');
  }

  async openFile(name: string): Promise<void> {
    await this.ask('open', this.file(name));
    await this.page.waitForSelector('.monaco-editor .view-lines');
    await this.ask('command', 'workbench.action.focusActiveEditorGroup');
  }

  text(name: string): Promise<string> {
    return this.ask('text', this.file(name));
  }

  /** A new text for the open file, with the cursor at `|`. */
  async put(textWithCursor: string): Promise<void> {
    const at = textWithCursor.indexOf('|');
    const before = textWithCursor.slice(0, at).split('\n');
    await this.ask('command', 'editor.action.inlineSuggest.hide');
    await this.ask('setText', textWithCursor.replace('|', ''));
    await this.ask('setCursor', before.length - 1, before.at(-1)!.length);
  }

  /** The text of the active file with `|` at the cursor. */
  async seen(name: string): Promise<string> {
    const [line, character] = await this.ask<[number, number]>('cursor');
    const lines = (await this.text(name)).split('\n');
    lines[line] = `${lines[line]!.slice(0, character)}|${lines[line]!.slice(character)}`;
    return lines.join('\n');
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text: string, delayMs = 40): Promise<void> {
    return this.page.keyboard.type(text, { delay: delayMs });
  }

  /** The grey text as it is drawn; empty: there is none. */
  async ghost(): Promise<string> {
    const inLine = await this.drawn('.monaco-editor .view-lines .ghost-text, .monaco-editor .view-lines .ghost-text-decoration');
    const below = await this.drawn('.monaco-editor .suggest-preview-text .view-line');
    return [inLine.join(''), ...below].join('\n');
  }

  private async drawn(selector: string): Promise<string[]> {
    const texts = await this.page.$$eval(selector, (spans) => spans.map((span) => span.textContent ?? ''));
    return texts.map((text) => text.replaceAll('\u00a0', ' '));
  }

  /** Asks for a suggestion until there is one. A window takes a while to know a new server. */
  askForGhost(): Promise<string> {
    const ask = async () => {
      await this.press('Alt+Backslash');
      return waitFor(() => this.ghost(), 'ghost text', 3000).catch(() => '');
    };
    return waitFor(ask, 'ghost text');
  }

  waitForGhost(): Promise<string> {
    return waitFor(() => this.ghost(), 'ghost text');
  }

  async waitForNoGhost(): Promise<void> {
    await waitFor(async () => (await this.ghost()) === '', 'the ghost text to go');
  }

  async waitForText(name: string, text: string): Promise<void> {
    let last = '';
    await waitFor(
      async () => (last = await this.text(name)) === text,
      () => `the text ${JSON.stringify(text)}, which is ${JSON.stringify(last)}`,
    );
  }

  /** What the status item says. */
  async status(): Promise<string> {
    return (await this.page.textContent('[id="tenon.tenon.tenon.status"]'))?.trim() ?? '';
  }

  /** The lines of the extension's log, as VS Code keeps it. */
  log(): string[] {
    const logs = path.join(this.folder, 'data', 'logs');
    return fs
      .readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('tenon.log'))
      .flatMap((name) => fs.readFileSync(path.join(logs, name), 'utf8').split('\n'));
  }

  /** What the host of the extensions says has gone wrong with tenon. */
  hostErrors(): string[] {
    const logs = path.join(this.folder, 'data', 'logs');
    return fs
      .readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('remoteexthost.log'))
      .flatMap((name) => fs.readFileSync(path.join(logs, name), 'utf8').split('\n'))
      .filter((line) => line.includes('[error]') && line.includes('tenon.tenon'));
  }

  async close(): Promise<void> {
    this.probe?.close();
    await this.browser?.close();
    this.process.kill('SIGTERM');
    await new Promise((resolve) => (this.process.exitCode === null ? this.process.once('exit', resolve) : resolve(0)));
    if (process.env['TENON_KEEP'] === undefined) fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const kOfMachine = new Set(
  manifest.contributes.configuration
    .flatMap(({ properties }) => Object.entries(properties))
    .filter(([, { scope }]) => scope === 'machine')
    .map(([name]) => name),
);

function partition<Value>(values: readonly Value[], isFirst: (value: Value) => boolean): [Value[], Value[]] {
  return [values.filter(isFirst), values.filter((value) => !isFirst(value))];
}

// Nothing of VS Code's own comes between the keys and tenon.
const kCalm = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'security.workspace.trust.startupPrompt': 'never',
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  // An open list hides ghost text that does not begin with its selected item.
  'editor.wordBasedSuggestions': 'off',
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
};

export async function waitFor<Result>(
  check: () => Promise<Result> | Result,
  what: string | (() => string),
  limitMs = kPatienceMs,
): Promise<Result> {
  const end = Date.now() + limitMs;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (Date.now() > end) throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function reachable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
