// The item `tenon` of the status bar, and what is known of the document before the user.
//
// The server is asked about the document when the user turns to another one, when the server says
// something new, and after answers; at most once in kPauseMs.
import {
  MarkdownString,
  StatusBarAlignment,
  ThemeColor,
  commands,
  window,
  type Disposable,
  type TextDocument,
} from 'vscode';

import type { Answer, Session } from './session';
import { statusView, type ServerStatus, type StatusView } from './status_view';

export const kPauseMs = 150;

export class StatusItem implements Disposable {
  private readonly item = window.createStatusBarItem('tenon.status', StatusBarAlignment.Right, 100);
  private readonly subscriptions: Disposable[];
  private ofDocument: ServerStatus['document'];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: Session,
    private readonly isOff: (document: TextDocument) => boolean,
  ) {
    this.item.name = 'tenon';
    this.item.command = 'tenon.showMenu';
    this.subscriptions = [
      session.onDidChange(() => this.refresh()),
      session.onAnswer((answer) => void this.onAnswer(answer)),
      window.onDidChangeActiveTextEditor(() => {
        this.ofDocument = undefined;
        this.refresh();
      }),
    ];
    this.refresh();
    this.item.show();
  }

  /** What is shown now. */
  view(): StatusView {
    const document = activeDocument();
    const server = this.session.server;
    return statusView({
      process: this.session.process,
      ...(server === undefined
        ? {}
        : { server: this.ofDocument === undefined ? server : { ...server, document: this.ofDocument } }),
      ...(document === undefined
        ? {}
        : { document: { languageId: document.languageId, fileIsOff: this.isOff(document) } }),
    });
  }

  /** Shows what is known, and asks the server about the document soon. */
  refresh(): void {
    this.show();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.ask();
    }, kPauseMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) each.dispose();
    this.item.dispose();
  }

  private async ask(): Promise<void> {
    const document = activeDocument();
    if (document === undefined) return;
    const uri = document.uri.toString();
    const status = await this.session.ask<ServerStatus>('tenon/status', { textDocument: { uri } });
    if (status === undefined || activeDocument() !== document) return;
    this.session.server ??= status;
    this.ofDocument = status.document;
    await commands.executeCommand('setContext', 'tenon.hasModel', status.state === 'ready' || status.state === 'busy');
    this.show();
  }

  private async onAnswer(answer: Answer): Promise<void> {
    if (answer.offered) await commands.executeCommand('setContext', 'tenon.hasSuggested', true);
    if (answer.byPerson && !answer.offered) {
      await this.ask();
      const view = this.view();
      window.setStatusBarMessage(`tenon has nothing to offer here. ${this.ofDocument?.reason ?? view.reason}`, 8000);
    }
    this.refresh();
  }

  private show(): void {
    const view = this.view();
    this.item.text = view.text;
    this.item.tooltip = new MarkdownString([view.reason, view.action].filter((line) => line !== '').join('\n\n'));
    this.item.accessibilityInformation = { label: `${view.text.replace(/\$\([^)]*\) ?/, '')}. ${view.reason}` };
    this.item.backgroundColor =
      view.severity === 'none' ? undefined : new ThemeColor(`statusBarItem.${view.severity}Background`);
  }
}

function activeDocument(): TextDocument | undefined {
  const document = window.activeTextEditor?.document;
  return document !== undefined && ['file', 'untitled', 'vscode-notebook-cell'].includes(document.uri.scheme)
    ? document
    : undefined;
}
