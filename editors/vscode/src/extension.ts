// The extension: puts the parts together when VS Code has started, and takes them apart at its end.
import { commands, window, type ExtensionContext, type TextDocument } from 'vscode';

import { watchCursor } from './cursor_watch';
import { Doctor } from './doctor';
import type { CostSummary } from './keystroke_cost';
import { showMenu } from './menu';
import { chooseModel } from './model_choice';
import { findOrInstallProgram } from './program_choice';
import { restartOnSettings, Session } from './session';
import { StatusItem } from './status_item';
import type { StatusView } from './status_view';
import { Switches } from './switches';

/** What other extensions can know. */
export interface Api {
  status(): StatusView;
  /** The client's own time of the last keystrokes. */
  cost(): { readonly edit: CostSummary; readonly suggestion: CostSummary };
}

let session: Session | undefined;

export function activate(context: ExtensionContext): Api {
  const log = window.createOutputChannel('tenon', { log: true });
  const switches = new Switches(context.workspaceState);
  const isOff = (document: TextDocument): boolean => switches.isOff(document);
  const started = (session = new Session(log, isOff));
  const status = new StatusItem(started, isOff);
  const doctor = new Doctor();

  const withDocument =
    (act: (document: TextDocument) => unknown): (() => Promise<void>) =>
    async () => {
      const document = window.activeTextEditor?.document;
      if (document === undefined) void window.showInformationMessage('tenon: open a file first.');
      else await act(document);
      status.refresh();
    };
  const actions: Record<string, () => unknown> = {
    trigger: () => commands.executeCommand('editor.action.inlineSuggest.trigger'),
    showMenu: () => showMenu(status.view(), window.activeTextEditor?.document.languageId),
    toggleFile: withDocument((document) => switches.flipFile(document)),
    toggleLanguage: withDocument((document) => switches.flipLanguage(document)),
    toggleEverywhere: () => switches.flipEverywhere(),
    restart: () => started.restart(),
    showLog: () => log.show(),
    doctor: () => doctor.show(),
    chooseModel: () => chooseModel(started),
    findProgram: () => findOrInstallProgram(started),
  };
  for (const [name, action] of Object.entries(actions))
    context.subscriptions.push(commands.registerCommand(`tenon.${name}`, action));
  context.subscriptions.push(log, started, status, doctor, restartOnSettings(started));
  context.subscriptions.push(watchCursor(started, (document) => switches.isOffAnywhere(document)));

  void started.restart().then(() => {
    if (started.process.is === 'missing') void offerProgram();
  });
  return {
    status: () => status.view(),
    cost: () => ({ edit: started.cost.summary('edit'), suggestion: started.cost.summary('suggestion') }),
  };
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

async function offerProgram(): Promise<void> {
  const find = 'Find or install';
  const chosen = await window.showWarningMessage('tenon: the program tenon was not found.', find);
  if (chosen === find) await commands.executeCommand('tenon.findProgram');
}
