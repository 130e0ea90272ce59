// The menu of the status item: first what is going on and why, then what can be done.
import { commands, window, QuickPickItemKind, type QuickPickItem } from 'vscode';

import type { StatusView } from './status_view';

interface Entry extends QuickPickItem {
  readonly command?: string;
}

export async function showMenu(view: StatusView, languageId: string | undefined): Promise<void> {
  const entries: Entry[] = [
    { label: view.text, detail: [view.reason, view.action].filter((line) => line !== '').join(' ') },
    { label: '', kind: QuickPickItemKind.Separator },
    { label: 'Suggest at the cursor now', command: 'tenon.trigger' },
    { label: 'Switch on or off for this file', command: 'tenon.toggleFile' },
    { label: `Switch on or off for ${languageId ?? 'this language'}`, command: 'tenon.toggleLanguage' },
    { label: 'Switch on or off everywhere', command: 'tenon.toggleEverywhere' },
    { label: 'Choose a model', command: 'tenon.chooseModel' },
    { label: 'Restart the server', command: 'tenon.restart' },
    { label: 'Show the log', command: 'tenon.showLog' },
    { label: 'Doctor', command: 'tenon.doctor' },
    { label: 'Find or install the program', command: 'tenon.findProgram' },
  ];
  const entry = await window.showQuickPick(entries, { title: 'tenon' });
  if (entry?.command !== undefined) await commands.executeCommand(entry.command);
}
