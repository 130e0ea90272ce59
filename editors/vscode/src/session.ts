// One server at a time: started with the user's settings, watched, and started anew when a setting
// changes that it has to be started with.
//
// Life: missing (no program) or starting, running, stopped. The language client starts a server that
// has died up to four times in three minutes; then the process has failed until the user restarts it.
import * as os from 'node:os';
import { performance } from 'node:perf_hooks';
import {
  EventEmitter,
  Uri,
  window,
  workspace,
  type LogOutputChannel,
  type TextDocument,
} from 'vscode';
import {
  DidChangeConfigurationNotification,
  DidOpenTextDocumentNotification,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type LanguageClientOptions,
  type Middleware,
} from 'vscode-languageclient/node';

import { givenByUser, givenForFolder } from './given_settings';
import { KeystrokeCost } from './keystroke_cost';
import { searchProgram } from './machine';
import { eachLine, readLogLine } from './server_log';
import { folderSettings, kList, kNeedRestart, programArguments, userSettings } from './server_settings';
import type { Process, ServerStatus } from './status_view';
import { suggestionMiddleware } from './suggestion_watch';

export interface Answer {
  readonly document: TextDocument;
  readonly offered: boolean;
  readonly byPerson: boolean;
}

export class Session {
  readonly cost = new KeystrokeCost();
  private readonly changes = new EventEmitter<void>();
  private readonly answers = new EventEmitter<Answer>();
  /** The process or what it says of itself has changed. */
  readonly onDidChange = this.changes.event;
  /** A suggestion was asked for, and the answer is there. */
  readonly onAnswer = this.answers.event;

  process: Process = { is: 'stopped' };
  server: ServerStatus | undefined;
  private client: LanguageClient | undefined;
  // Starts and stops wait for each other.
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: LogOutputChannel,
    private readonly isOff: (document: TextDocument) => boolean,
  ) {}

  /** Starts a server, in the place of one that runs. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.end();
      await this.begin();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.end());
  }

  /** A request of tenon's own; undefined where no server can answer it. */
  async ask<Result>(method: string, params: unknown): Promise<Result | undefined> {
    if (this.client?.state !== State.Running) return undefined;
    try {
      return await this.client.sendRequest<Result>(method, params);
    } catch (error) {
      this.log.debug(`${method}: ${String(error)}`);
      return undefined;
    }
  }

  /** A notification of tenon's own; lost where no server runs. */
  async tell(method: string, params: unknown): Promise<void> {
    if (this.client?.state !== State.Running) return;
    await this.client
      .sendNotification(method, params)
      .catch((error: unknown) => this.log.debug(`${method}: ${String(error)}`));
  }

  /** Has the server the document, and does it want to know where the cursor rests in it? */
  readsAhead(document: TextDocument): boolean {
    const client = this.client;
    if (client?.state !== State.Running) return false;
    if (client.initializeResult?.capabilities.experimental?.tenon?.cursor !== true) return false;
    const { openDocuments } = client.getFeature(DidOpenTextDocumentNotification.method);
    // Cells of notebooks are told in another way than other documents.
    return [...openDocuments].includes(document) || client.hasDedicatedTextSynchronizationFeature(document);
  }

  dispose(): void {
    this.changes.dispose();
    this.answers.dispose();
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error: unknown) => this.log.error(String(error)));
    return this.queue;
  }

  private set(process: Process): void {
    this.process = process;
    if (process.is !== 'running') this.server = undefined;
    this.changes.fire();
  }

  private async begin(): Promise<void> {
    const search = await searchProgram();
    if (!('program' in search)) {
      this.log.warn([search.fault, ...search.searched].join('\n  '));
      return this.set({ is: 'missing', fault: search.fault });
    }
    const given = givenByUser();
    const args = programArguments(given);
    this.log.info(`starts ${search.program} ${args.join(' ')}`);
    // Not in the folder that is open: nothing of it decides what the server reads.
    const run = { command: search.program, args, options: { cwd: os.homedir() } };
    const client = new LanguageClient('tenon', 'tenon', run, this.clientOptions(userSettings(given)));
    this.client = client;
    client.onDidChangeState((change) => this.onState(client, change.newState));
    client.onNotification('tenon/didChangeStatus', (status: ServerStatus) => {
      this.server = status;
      this.changes.fire();
    });
    try {
      await client.start();
    } catch (error) {
      this.set({ is: 'failed', fault: `${search.program} could not be started: ${String(error)}` });
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) await client.stop().catch((error: unknown) => this.log.warn(String(error)));
    if (this.process.is !== 'stopped') this.set({ is: 'stopped' });
  }

  private onState(client: LanguageClient, state: State): void {
    if (client !== this.client) return;
    if (state === State.Starting) this.set({ is: 'starting' });
    if (state === State.Running) this.set({ is: 'running' });
    if (state === State.Stopped || state === State.StartFailed)
      this.set({ is: 'failed', fault: 'the server has ended' });
  }

  private clientOptions(user: Record<string, unknown>): LanguageClientOptions {
    return {
      // Cells of notebooks are synchronized as notebooks.
      documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
      initializationOptions: { ...kList, ...user, experimental: { status: true } },
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: this.middleware(),
      stdioOptions: { stdout: () => {}, stderr: (input) => this.logLines(input) },
    };
  }

  private middleware(): Middleware {
    const watcher = {
      isOff: this.isOff,
      onAnswer: (document: TextDocument, offered: boolean, byPerson: boolean) =>
        this.answers.fire({ document, offered, byPerson }),
      now: () => performance.now(),
    };
    return {
      ...suggestionMiddleware(watcher, this.cost),
      workspace: {
        configuration: (params) =>
          params.items.map((item) =>
            item.section === 'tenon'
              ? folderSettings(givenForFolder(item.scopeUri === undefined ? undefined : Uri.parse(item.scopeUri)))
              : null,
          ),
        // The server asks for what it wants to know.
        didChangeConfiguration: async () => {
          await this.client?.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
        },
      },
    };
  }

  private logLines(input: NodeJS.ReadableStream): void {
    eachLine(input, (line) => {
      const { level, text } = readLogLine(line);
      this.log[level](text);
    });
  }
}

/** Restarts the server when a setting changes that it has to be started with. */
export function restartOnSettings(session: Session) {
  return workspace.onDidChangeConfiguration((change) => {
    if (!kNeedRestart.some((name) => change.affectsConfiguration(`tenon.${name}`))) return;
    void window.setStatusBarMessage('tenon: restarts with the new settings', session.restart());
  });
}
