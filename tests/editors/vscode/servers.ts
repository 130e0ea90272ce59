// The servers of the tests: one whose answers are written down, and tenon behind a tap.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import type { Environment } from './editor';
import { LineSocket } from './line_socket';

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly params?: any;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Where the parts are, from the variables that vscode_test.py sets. */
export function environment(): Environment & { readonly program: string; readonly tests: string } {
  const value = (name: string): string => {
    const found = process.env[name];
    if (found === undefined) throw new Error(`${name} is not set; run vscode_test.py`);
    return found;
  };
  return {
    codeServer: value('TENON_CODE_SERVER'),
    node: process.execPath,
    vsix: value('TENON_VSIX'),
    probe: path.join(value('TENON_TESTS'), 'probe'),
    tests: value('TENON_TESTS'),
    program: value('TENON_PROGRAM'),
  };
}

function executable(file: string, text: string): string {
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

function quoted(...words: string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

/** An item of an answer: in the place of the utf-16 offsets `from` to `to` of the cursor's line. */
export function item(insertText: string, from: number | 'cursor' = 'cursor', to: number | 'cursor' = 'cursor') {
  return { insertText, range: { from, to } };
}

export interface Rule {
  /** The end of the line left of the cursor. */
  readonly before: string;
  readonly items?: readonly unknown[];
  readonly error?: string;
  readonly delay_ms?: number;
}

/** A server with rules (scripted_server.py). */
export class ScriptedServer {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tenon-scripted-'));
  private readonly log = path.join(this.folder, 'log');
  readonly program: string;

  /** `experimental`: what the server announces under that name. */
  constructor(tests: string, rules: readonly Rule[], experimental: object = {}) {
    const script = path.join(this.folder, 'rules.json');
    const written: object[] = rules.map(({ items, ...rule }) => ({
      ...rule,
      ...(rule.error === undefined ? { answer: items === undefined ? null : { items } } : {}),
    }));
    written.push({ experimental });
    fs.writeFileSync(script, JSON.stringify(written));
    fs.writeFileSync(this.log, '');
    const server = path.join(path.dirname(tests), 'scripted_server.py');
    // `tenon model` knows two models, one of which cannot be used.
    const models = ['small', 'refused'].map((name) => JSON.stringify({ name, installed: true }));
    this.program = executable(
      path.join(this.folder, 'tenon'),
      `#!/bin/sh\ncase "$*" in\n  *"model list"*) printf '%s\\n' ${quoted(...models)} ;;\n` +
        `  *"model use refused"*) echo "it is refused" >&2; exit 1 ;;\n  *"model use"*) echo "it is used" ;;\n` +
        `  *) exec python3 -B ${quoted(server, script, this.log)} ;;\nesac\n`,
    );
  }

  received(method: string): Message[] {
    const lines = fs.readFileSync(this.log, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Message).filter((message) => message.method === method);
  }

  close(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** tenon, with all its messages written down (wire_tap.py). */
export class TappedServer {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tenon-tapped-'));
  private readonly log = path.join(this.folder, 'log');
  private socket: LineSocket | undefined;
  readonly program: string;

  constructor(tests: string, program: string) {
    fs.writeFileSync(this.log, '');
    const tap = path.join(tests, 'wire_tap.py');
    this.program = executable(
      path.join(this.folder, 'tenon'),
      // Other commands than the server's are none of the tap's.
      `#!/bin/sh\ncase "$*" in\n  *--stdio*) exec python3 -B ${quoted(tap, this.log, path.join(this.folder, 'socket'))} ` +
        `-- ${quoted(program)} "$@" ;;\n  *) exec ${quoted(program)} "$@" ;;\nesac\n`,
    );
  }

  async ask<Result>(method: string, params: unknown): Promise<Result> {
    this.socket ??= await LineSocket.connect(path.join(this.folder, 'socket'), 10_000);
    const answer = (await this.socket.ask({ method, params })) as Message;
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as Result;
  }

  /** The server is another process now. */
  reconnect(): void {
    this.socket?.close();
    this.socket = undefined;
  }

  messages(from: 'client' | 'server'): Message[] {
    const lines = fs.readFileSync(this.log, 'utf8').split('\n').filter(Boolean);
    return lines
      .map((line) => JSON.parse(line) as { from: string; message: Message })
      .filter((each) => each.from === from)
      .map((each) => each.message);
  }

  close(): void {
    this.socket?.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
